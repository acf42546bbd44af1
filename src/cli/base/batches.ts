/** Groups what arrives together, so that a burst is folded and drawn once. */
export async function* batches<T>(events: AsyncIterable<T>, quietMs: number): AsyncGenerator<T[]> {
  let waiting: T[] = [];
  let ended = false;
  let failure: unknown = null;
  let wake = () => {};
  const read = async () => {
    try {
      for await (const event of events) {
        waiting.push(event);
        wake();
      }
    } catch (error) {
      failure = error;
    }
    ended = true;
    wake();
  };
  void read();
  for (;;) {
    if (waiting.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      const batch = waiting;
      waiting = [];
      yield batch;
    } else if (ended) {
      if (failure !== null) throw failure;
      return;
    }
  }
}
