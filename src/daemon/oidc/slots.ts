/** How many logins may talk to the provider at once. One address can't take the places of all others. */
import { OidcProblem } from "./problem.ts";

const MOST = 64;
const MOST_OF_ONE = 8;

/** `address` null: everybody behind one proxy has the same, so it says nothing. */
export type Slots = <T>(address: string | null, work: () => Promise<T>) => Promise<T>;

export function startSlots(): Slots {
  const taken = new Map<string, number>();
  let all = 0;
  return async (address, work) => {
    const theirs = address === null ? 0 : (taken.get(address) ?? 0);
    if (all >= MOST || theirs >= MOST_OF_ONE)
      throw new OidcProblem("too many logins are waiting for the provider", "later");
    all++;
    if (address !== null) taken.set(address, theirs + 1);
    try {
      return await work();
    } finally {
      all--;
      const left = address === null ? 0 : (taken.get(address) ?? 1) - 1;
      if (address !== null && left > 0) taken.set(address, left);
      else if (address !== null) taken.delete(address);
    }
  };
}
