/** Waits until a condition holds in the state, with a time limit. Only commits wake it; it does not poll. */
import type { Event } from "../../core/model/events.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Clock } from "../../ports.ts";
import type { Engine } from "./engine.ts";

export interface Condition {
  isSo(state: Readonly<State>): boolean;
  /** Only an event that passes this test can make the condition true. */
  by(event: Event): boolean;
  withinMs: number;
}

/** False if the time ran out. */
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
    look(); // it may be true already
  });
}
