/** Bytes as they come, as a response body; `stop` is called when nobody reads any more. */

export function streamOf(parts: AsyncIterable<Buffer>, stop: () => void): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) {
        stop();
        controller.close();
      } else controller.enqueue(new Uint8Array(value));
    },
    cancel: stop,
  });
}
