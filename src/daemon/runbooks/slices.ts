/** Long work in slices: other work of the daemon gets a turn after each of them. */

/** What `work` makes of all of them, a slice at a time. */
export async function inSlices<T, R>(
  all: readonly T[],
  size: number,
  work: (slice: readonly T[]) => readonly R[] | Promise<readonly R[]>,
): Promise<R[]> {
  const made: R[] = [];
  for (let from = 0; from < all.length; from += size) {
    made.push(...(await work(all.slice(from, from + size))));
    await turn();
  }
  return made;
}

/** Runs to the end, with a turn for others wherever it pauses. */
export async function inTurns<R>(work: Generator<void, R>): Promise<R> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
