/** What a move is: somebody does something, and there is another state outside, on disk, or both. */

import type { Observation } from "../../src/core/agent/agent.ts";
import type { CallEnd } from "../../src/core/agent/dialog.ts";
import {
  asItStands,
  endOfDialog,
  endOfLostChange,
  isUnanswered,
} from "../../src/daemon/agents/terminal/dialog-end.ts";
import type { Case } from "./cases.ts";
import type { Core, Disk, Kept, Label, Rule } from "./disk.ts";
import { CORE } from "./disk.ts";
import type { Outside, Shown } from "./outside.ts";
import { stateOf } from "./outside.ts";

/** Only what the daemon and the client do counts as a way on: nobody may rely on people, or on trouble. */
export type Mover = "the daemon" | "the client" | "ana" | "somebody in the terminal" | "trouble";

export interface Move {
  by: Mover;
  name: string;
  outside: Outside;
  kept: Kept;
  /** What must never happen, and just did. */
  wrong?: string;
}

/** What the daemon goes by, besides core. A planted bug changes one of them. */
export interface Rules {
  core: Core;
  /** tmux types only while the screen shows what was seen. */
  sees(seen: string, now: string): boolean;
  asItStands: typeof asItStands;
  endOfDialog: typeof endOfDialog;
  endOfLostChange(now: Shown, end: CallEnd | null): ReturnType<typeof endOfLostChange>;
  /** What a look at the screen after a broken connection must still find. */
  isUnanswered: typeof isUnanswered;
  /** Whether the end of a call that the disk did not take is written later. */
  isLasting(what: "report" | "screen"): boolean;
  /** A new conversation ends what the old one asked. */
  endsWithConversation: boolean;
  /** Words that the terminal shows once more than before were said, even if no report says so. */
  looksBeforeRepeating: boolean;
  /** The file is read before anything is recorded of an agent that has left its dialog, or died. */
  readsFile(of: "the living" | "the dead"): boolean;
  /** An agent whose start was not recorded is looked at when it is found. */
  looksWhenFound: boolean;
  /** What the disk did not take is looked for again. */
  looksAgain: boolean;
  /** At a start, an answer that went out is doubted if its dialog is still on the screen. */
  doubtsReplies: boolean;
}

export const RULES: Rules = {
  core: CORE,
  sees: (seen, now) => seen === now,
  ...{ asItStands, endOfDialog, isUnanswered },
  endOfLostChange: (now, end) => endOfLostChange(stateOf(now), end),
  isLasting: (what) => what === "report",
  endsWithConversation: true,
  looksBeforeRepeating: true,
  readsFile: () => true,
  looksWhenFound: true,
  looksAgain: true,
  doubtsReplies: true,
};

export interface Here {
  it: Case;
  disk: Disk;
  rules: Rules;
  outside: Outside;
  kept: Kept;
}

/** Collects the moves from here. */
export function movesFrom({ disk, rules, outside, kept }: Here) {
  const moves: Move[] = [];
  const { agent_id: id } = disk;
  return {
    moves,
    go(by: Mover, name: string, more: Partial<Outside>, next: Kept = kept, wrong?: string): void {
      const look = next.touched && outside.look ? { look: { ...outside.look, changed: true } } : {};
      moves.push({
        by,
        name,
        outside: { ...outside, ...look, ...more },
        kept: disk.of(next.id),
        ...(wrong ? { wrong } : {}),
      });
    },
    /** What is on disk once this was seen. */
    seen(seen: Observation, from = kept): Kept {
      const { prompt, ...rest } = { prompt: null, ...seen };
      return disk.after(from, `${prompt?.key} ${JSON.stringify(rest)}`, (state, moment) =>
        rules.core.observe(state, { id, seen }, moment),
      );
    },
    rule: (name: string, rule: Rule, from = kept): Kept => disk.after(from, name, rule),
  };
}

export const parcelOf = ({ kept }: Here, label: Label) =>
  kept.agent.outbox.find((it) => kept.labelOf(it) === label);

export const textOf = (here: Here, labels: readonly Label[]): string =>
  labels.map((it) => parcelOf(here, it)?.text ?? "something else").join("\n\n");
