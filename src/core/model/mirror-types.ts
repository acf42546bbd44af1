/** Which projects mirror their decisions as beads (docs/beads.md), and what of that is still to be done. */
import type { DecisionState } from "./decision-types.ts";
import type { Fixed } from "./fixed.ts";
import type { DecisionId, MachineName } from "./ids.ts";

/** A project whose decisions are mirrored, by the folder it is in and the machine that has the folder. */
export type Mirror = Fixed<{ root: string; project: string; machine?: MachineName }>;

/** The same folder on another machine is another project. */
export function mirrorKey(root: string, machine: MachineName | undefined): string {
  return machine === undefined ? root : `${machine}:${root}`;
}

/** A decision whose bead is missing, or does not show how it stands. */
export type Unmirrored = Fixed<{
  id: DecisionId;
  project: string;
  root: string;
  /** The machine that has the folder; absent where the log has one machine. */
  machine?: MachineName;
  /** It was deleted before its bead could show how it ended: all that is left of it. */
  deleted?: { state: DecisionState; words: string };
}>;

export type MirrorFact = Fixed<
  /** From now on the project's decisions are mirrored, and those that are named. `id` is its folder. */
  | { type: "mirror:on"; id: string; project: string; decision_ids: DecisionId[] }
  | { type: "mirror:off"; id: string; project: string }
>;

/** `bd-12`, `shop-a3f8.1`, `my-app-dec-7k3m9x2p4q`; never something that a program could take for a flag. */
const BEAD = /^[A-Za-z0-9_][A-Za-z0-9_.]*(-[A-Za-z0-9_.]+)+$/;
const LONGEST_BEAD = 200;

/** Ids of ours, which mean something else. */
const OURS = /^(dec|job|agt|crew|run)-/;

/** Whether this may be the id of a bead. Nothing else is ever passed to `bd` as one. */
export function isBeadId(text: string): boolean {
  return text.length <= LONGEST_BEAD && BEAD.test(text) && !OURS.test(text);
}
