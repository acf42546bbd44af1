/** Terminals and output are where the work runs: other machines can't show them. */
import { Refusal } from "../../core/model/errors.ts";
import type { AgentId, MachineName, OwnerId } from "../../core/model/ids.ts";
import { homeOf } from "../../core/model/state/home.ts";
import type { State } from "../../core/model/state/state.ts";

export function refuseElsewhere(
  state: Readonly<State>,
  id: OwnerId | AgentId,
  self: MachineName | null,
): void {
  const home = homeOf(state, id);
  if (self === null || home === null || home === self) return;
  throw new Refusal("machine.elsewhere", `${id} runs on ${home}`, `call oj on ${home}`);
}
