/** Finds the smallest way to break the same thing: fewer kinds of trouble, then the seed that needs the fewest steps. */
import type { Manner, Played, Trouble } from "./play.ts";
import { play, TROUBLES } from "./play.ts";

export interface Shrunk {
  played: Played;
  without: readonly Trouble[];
}

/** So many seeds are tried once it is known what is needed. */
const MOST_SEEDS = 20;

export async function shrink(failed: Played, how: Partial<Manner> = {}): Promise<Shrunk> {
  const truth = failed.violation?.truth;
  let best: Shrunk = { played: failed, without: how.without ?? [] };
  const attempt = async (seed: number, without: readonly Trouble[]) => {
    const played = await play(seed, { ...how, without });
    return truth !== undefined && played.violation?.truth === truth ? { played, without } : null;
  };
  for (const trouble of TROUBLES) best = (await attempt(failed.seed, [...best.without, trouble])) ?? best;
  for (let seed = 1; seed <= MOST_SEEDS; seed++) {
    const found = await attempt(seed, best.without);
    if (found && found.played.steps < best.played.steps) best = found;
  }
  return best;
}
