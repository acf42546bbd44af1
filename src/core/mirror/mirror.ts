/** Decisions mirrored as beads: which projects do that, what is owed, and what was done. The log is the truth. */
import type { DecisionState } from "../model/decision-types.ts";
import type { MirrorEffect } from "../model/effects.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, MachineName } from "../model/ids.ts";
import { mirrorKey } from "../model/mirror-types.ts";
import { mirrorOf } from "../model/state/fold-mirror.ts";
import { overlay } from "../model/state/overlay.ts";
import type { State } from "../model/state/state.ts";

/** The chore that brings the bead of this decision up to date. */
export function mirrorEffects({ unmirrored, decisions }: Readonly<State>, id: DecisionId): MirrorEffect[] {
  const row = unmirrored.get(id);
  if (!row) return [];
  const shows = row.deleted?.state ?? decisions.get(id)?.state;
  if (shows === undefined) return [];
  const { project, root, machine } = row;
  return [{ type: "mirror", decision_id: id, project, root, ...(machine ? { machine } : {}), shows }];
}

/** A folder, on one of several machines. */
export interface Place {
  root: string;
  machine: MachineName | null;
}

const keyOf = ({ root, machine }: Place) => mirrorKey(root, machine ?? undefined);

/** From now on, the decisions of the project in this folder are mirrored, and those that are pending now. */
export function mirrorOn(
  state: Readonly<State>,
  { root, project, machine }: Place & { project: string },
): Fact[] {
  const key = keyOf({ root, machine });
  if (state.mirrors.get(key)?.project === project) return [];
  const after = overlay(state);
  after.mirrors.set(key, { root, project, ...(machine === null ? {} : { machine }) });
  const decision_ids = [...state.pending].filter((id) => {
    const decision = state.decisions.get(id);
    return decision !== undefined && mirrorOf(after, decision) === root;
  });
  return [{ type: "mirror:on", id: root, project, decision_ids }];
}

export function mirrorOff(state: Readonly<State>, place: Place): Fact[] {
  const mirror = state.mirrors.get(keyOf(place));
  return mirror ? [{ type: "mirror:off", id: place.root, project: mirror.project }] : [];
}

/** Those of these decisions that have a bead, or should have one, are compared with it once more. */
export function mirrorAgain(
  state: Readonly<State>,
  { root, machine, ids }: Place & { ids: readonly DecisionId[] },
): Fact[] {
  const mirror = state.mirrors.get(keyOf({ root, machine }));
  if (!mirror) return [];
  const decision_ids = ids.filter((id) => {
    const decision = state.unmirrored.has(id) ? undefined : state.decisions.peek(id);
    if (!decision || (decision.machine ?? null) !== machine) return false;
    return (
      decision.bead?.root === root || (decision.state === "pending" && mirrorOf(state, decision) === root)
    );
  });
  const { project } = mirror;
  return decision_ids.length === 0 ? [] : [{ type: "mirror:on", id: root, project, decision_ids }];
}

/** The bead shows the decision as it was in this state. */
export function mirrored(
  state: Readonly<State>,
  input: { id: DecisionId; bead: string; root: string; shows: DecisionState },
): Fact[] {
  const { id, bead, root, shows } = input;
  const row = state.unmirrored.get(id);
  return row ? [{ type: "decision:mirrored", id, project: row.project, bead, root, shows }] : [];
}
