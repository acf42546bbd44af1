/** How facts change what is known of the machines that share the log. */
import type { MachineFact, Stamp } from "../events.ts";
import type { Folding } from "./state-types.ts";

export function foldMachine({ machines }: Pick<Folding, "machines">, fact: MachineFact & Stamp): void {
  const { id, at_ms } = fact;
  const known = machines.get(id);
  if (fact.type === "machine:joined")
    machines.set(id, { id, key: fact.key, joined_at_ms: at_ms, forgotten: false });
  else if (known) machines.set(id, { ...known, forgotten: true });
}
