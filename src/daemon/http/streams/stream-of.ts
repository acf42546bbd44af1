/**
 * Turns bytes into a response body as they arrive. Calls `stop` when nobody reads any more, so that the source can
 * close its files.
 */

export function streamOf(parts: AsyncIterable<Buffer>, stop: () => void): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await iterator.next();
        if (!done) return controller.enqueue(new Uint8Array(value));
      } catch (error) {
        stop();
        throw error;
      }
      stop();
      controller.close();
    },
    /** Calls `stop` first: only then does an iterator that waits for more notice its end. */
    async cancel() {
      stop();
      await iterator.return?.();
    },
  });
}
