/** Keeps track of which decisions are mirrored as beads, and which of those beads are behind. */
import type { Decision } from "../decision-types.ts";
import { DECISION_STATES } from "../decision-types.ts";
import type { DecisionFact, Stamp } from "../events.ts";
import type { DecisionId, MachineName } from "../ids.ts";
import type { MirrorFact } from "../mirror-types.ts";
import { mirrorKey } from "../mirror-types.ts";
import type { Folding, State } from "./state-types.ts";

/** While `bd` can't be used, what was deleted without ever having had a bead must not pile up. */
const MOST_UNSURE = 1000;

export function foldMirror(state: Folding, fact: MirrorFact & Stamp): void {
  const { id: root, project, machine } = fact;
  const place = { root, ...at(machine) };
  if (fact.type === "mirror:off") {
    state.mirrors.delete(mirrorKey(root, machine));
    for (const row of [...state.unmirrored.values()])
      if (row.root === root && row.machine === machine) state.unmirrored.delete(row.id);
    return;
  }
  state.mirrors.set(mirrorKey(root, machine), { project, ...place });
  for (const id of fact.decision_ids) state.unmirrored.set(id, { id, project, ...place });
}

function at(machine: MachineName | undefined): { machine?: MachineName } {
  return machine === undefined ? {} : { machine };
}

export function foldMirrored(
  state: Folding,
  { id, bead, root, shows }: Extract<DecisionFact, { type: "decision:mirrored" }>,
): void {
  const decision = state.decisions.open(id);
  if (decision) decision.bead = { id: bead, root, shows };
  if (!decision || decision.state === shows) state.unmirrored.delete(id);
  for (const it of DECISION_STATES) state.retries.delete(`mirror:${it}:${id}`);
}

/** A new decision of a mirrored project gets a bead; a change of its state has to be shown by the bead it has. */
export function noteUnmirrored(state: Folding, decision: Decision, type: string): void {
  const { id, project, bead, machine } = decision;
  if (type === "decision:created") {
    const root = state.mirrors.size === 0 ? null : mirrorOf(state, decision);
    if (root !== null) state.unmirrored.set(id, { id, project, root, ...at(machine) });
  } else if (bead && bead.shows !== decision.state && state.mirrors.has(mirrorKey(bead.root, machine)))
    state.unmirrored.set(id, { id, project, root: bead.root, ...at(machine) });
}

/** Its bead still has to say how it ended. */
export function noteDeleted(state: Folding, id: DecisionId): void {
  if (state.mirrors.size === 0) return;
  const decision = state.decisions.get(id);
  if (!decision) return;
  const { project, bead, answer, ended, machine } = decision;
  const isBehind = bead?.shows === "pending" && state.mirrors.has(mirrorKey(bead.root, machine));
  const root = state.unmirrored.get(id)?.root ?? (isBehind ? bead.root : null);
  if (root === null) return;
  if (!bead && state.unmirrored.size > MOST_UNSURE) {
    state.unmirrored.delete(id);
    return;
  }
  const words = answer?.labels.join(", ") ?? ended?.reason ?? "";
  const ending = decision.state === "pending" ? "withdrawn" : decision.state;
  state.unmirrored.set(id, { id, project, root, ...at(machine), deleted: { state: ending, words } });
}

/** The folder of the mirrored project that the decision belongs to; null if there is none. */
export function mirrorOf(state: State, decision: Decision): string | null {
  const home = homeOf(state, decision);
  const { machine } = decision;
  if (home !== null) return state.mirrors.has(mirrorKey(home, machine)) ? home : null;
  const cwd = decision.session === null ? undefined : state.sessions.get(decision.session)?.cwd;
  if (cwd === undefined) return null;
  const around = [...state.mirrors.values()].filter(
    ({ root, project, ...it }) =>
      it.machine === machine && project === decision.project && (cwd === root || cwd.startsWith(`${root}/`)),
  );
  return around.reduce<string | null>(
    (best, { root }) => (best === null || root.length > best.length ? root : best),
    null,
  );
}

/** The folder of the project whose request, agent, job or crew asked. */
function homeOf({ agents, jobs, crews }: State, { root, agent_id, owner }: Decision): string | null {
  if (root !== undefined) return root;
  const agent = agent_id === null ? undefined : agents.get(agent_id);
  if (agent) return agent.root;
  if (owner.kind === "job") return jobs.get(owner.id)?.root ?? null;
  return owner.kind === "crew" ? (crews.get(owner.id)?.root ?? null) : null;
}
