/** Bytes as they come, as a response body. Whoever gives them is told when nobody reads any more, so that it can let go of its files. */

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
    /** First `stop`: an iterator that waits for more hears of its end only after that. */
    async cancel() {
      stop();
      await iterator.return?.();
    },
  });
}
