/** The machines that share the log, as the API returns them. */
import type { MachineView } from "../../api/api.ts";
import { homeOf } from "../../core/model/state/home.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Machines } from "../engine/machines.ts";
import { activeJobs } from "./views.ts";

export function machineViews(
  state: Readonly<State>,
  { self, awaySince }: Pick<Machines, "self" | "awaySince">,
): MachineView[] {
  const machines = [...state.machines.values()].filter((it) => !it.forgotten);
  return machines.map(({ id: name, joined_at_ms }) => {
    const isThere = (it: { id: Parameters<typeof homeOf>[1] }) => homeOf(state, it.id) === name;
    return {
      name,
      self: name === self,
      away_since_ms: awaySince(name),
      joined_at_ms,
      jobs: activeJobs(state).filter(isThere).length,
      agents: [...state.agents.values()].filter((it) => it.status !== "ended" && isThere(it)).length,
      pending: [...state.pending].filter((id) => isThere({ id })).length,
    };
  });
}
