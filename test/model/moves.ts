/** What a move is: somebody does something, and there is another state outside, on disk, or both. */

import type { Observation } from "../../src/core/agent/agent.ts";
import { asItStands, endOfDialog, isUnanswered } from "../../src/daemon/agents/terminal/dialog-end.ts";
import type { Case } from "./cases.ts";
import type { Core, Disk, Kept, Label, Rule } from "./disk.ts";
import { CORE } from "./disk.ts";
import type { Outside } from "./outside.ts";

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
  /** What a look at the screen after a broken connection must still find. */
  isUnanswered: typeof isUnanswered;
  /** Whether the end of a call that the disk did not take is written later. */
  isLasting(what: "report" | "screen"): boolean;
  /** A new conversation ends what the old one asked. */
  endsWithConversation: boolean;
  /** Words that the terminal shows once more than before were said, even if no report says so. */
  looksBeforeRepeating: boolean;
  /** The file is read before anything is recorded of an agent that has left its dialog. */
  readsFile: boolean;
  /** At a start, an answer that went out is doubted if its dialog is still on the screen. */
  doubtsReplies: boolean;
}

export const RULES: Rules = {
  core: CORE,
  sees: (seen, now) => seen === now,
  ...{ asItStands, endOfDialog, isUnanswered },
  isLasting: (what) => what === "report",
  endsWithConversation: true,
  looksBeforeRepeating: true,
  readsFile: true,
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
      const changed = outside.look && next.agent.changed_at_ms !== kept.agent.changed_at_ms;
      const look = changed && outside.look ? { look: { ...outside.look, changed } } : {};
      moves.push({
        by,
        name,
        outside: { ...outside, ...look, ...more },
        kept: next,
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
