/** Lets everything that is ready happen: microtasks, immediates and whatever they set off. */
export async function settled(rounds = 20): Promise<void> {
  for (let n = 0; n < rounds; n++) await new Promise((resolve) => setImmediate(resolve));
}
