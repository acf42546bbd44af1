/** Waits until the state says so, for so long at most. Commits wake it: nothing is looked at in between. */
import type { Event } from "../../core/model/events.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Clock } from "../../ports.ts";
import type { Engine } from "./engine.ts";

export interface Condition {
  isSo(state: Readonly<State>): boolean;
  /** Only such an event can make it so. */
  by(event: Event): boolean;
  withinMs: number;
}

/** False when the time is up. */
export function until(
  engine: Engine,
  clock: Pick<Clock, "after">,
  { isSo, by, withinMs }: Condition,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (so: boolean) => {
      unwatch();
      disarm();
      resolve(so);
    };
    const look = () => void engine.read(isSo).then((so) => so && end(true), reject);
    const unwatch = engine.watch((events) => events.some(by) && look());
    const disarm = clock.after(withinMs, () => end(false));
    look(); // it may be so already
  });
}
