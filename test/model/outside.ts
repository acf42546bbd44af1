/** What is true outside of the log, whoever knows of it: the client, its terminal, what is under way, the daemon's memory. */
import type { Look } from "../../src/agents/client.ts";
import type { Case } from "./cases.ts";
import type { Label } from "./disk.ts";
import type { Outcome } from "./outcomes.ts";

/** A hook's report. The client waits for the response to one before it sends the next. */
export type Report =
  | "ran"
  | "batch"
  | "conversation"
  | "stopped"
  | "asks again"
  | "next ran"
  | `submitted ${string}`;

/** What a screen shows. */
export type Shown = "dialog" | "another dialog" | "idle" | "working" | "nothing";

export interface Outside {
  /** Showing its dialog, running the tool, working on, waiting for words, showing the next dialog, dead. */
  at: "dialog" | "runs" | "works" | "idle" | "next" | "gone";
  /** A second dialog is drawn over the first. */
  hidden: boolean;
  /** There is one more dialog to ask. */
  asksMore: boolean;
  /** What the dialog got: the outcome's place in the case (`outcomesOf`). */
  end: number | null;
  /** The words in the composer, those that wait behind the work, and how often the terminal shows each as said. */
  composer: Label | null;
  queued: readonly Label[];
  typed: { [key in Label]: number };
  reports: readonly Report[];
  /** A report that the client no longer waits for. The daemon still has it. */
  late: Report | null;

  /** The connection of the dialog's hook, as the daemon sees it; a response on its way. */
  hook: "open" | "broken" | "none";
  response: boolean;
  /** Given to tmux and not typed yet, and what the screen showed to whoever gave it. */
  keys: { what: "answer" | "paste" | "enter"; label: Label; seen: string } | null;

  daemon: "up" | "starting" | "down";
  /** In memory: the report of the dialog is not recorded yet; its call is known to be over. */
  asking: boolean;
  over: boolean;
  /** The delivery under way, and how far it got. */
  doing: { label: Label; step: "keys" | "touched" | "clear" | "paste" | "pasted" | "enter" } | null;
  /** Words that were typed, and whose receipt it waits for. */
  waits: readonly Label[];
  /** Done outside, and not recorded yet: an answer, words that were typed or told to a process, those of a start. */
  replied: boolean;
  said: { label: Label; incarnation: number } | null;
  told: { labels: readonly Label[]; incarnation: number } | null;
  started: readonly Label[] | null;
  /** A look at the screen that is not recorded yet: what it showed, and the record as it was. */
  look: { how: "catch up" | "closed"; shown: Shown; was: number; changed: boolean; again: boolean } | null;
  /** The end of the call was seen, and the disk did not take it: a report, or what a screen showed. */
  unwritten: "ran" | "batch" | "screen" | null;
  /** The disk did not take something else: it is looked for again. */
  refused: boolean;

  /** What the agent really has: an answer to its dialog like ana's, and how often it heard her words. */
  heard: { answer: boolean } & { [key in Label]: number };
  /** Somebody pressed Esc in a dialog that ana's answer was on its way to: nothing tells that from Esc while it ran. */
  contested: boolean;
  /** How often something may be heard again: a kill came between what was done and its disk. */
  excused: number;
  /** The end of the dialog's call was reported, and recorded. */
  reported: boolean;
  /** How much may still go wrong. */
  troubles: number;
}

export function beginning({ begins }: Case, troubles: number): Outside {
  return {
    ...{ at: begins === "errored" ? "idle" : begins, hidden: false, asksMore: true, end: null },
    ...{ composer: null, queued: [], typed: { main: 0, retry: 0 }, reports: [], late: null },
    ...{ hook: begins === "dialog" ? "open" : "none", response: false, keys: null },
    ...{
      daemon: "up",
      asking: begins === "dialog",
      over: false,
      doing: null,
      waits: [],
      replied: false,
      said: null,
    },
    ...{ told: null, started: null, look: null, unwritten: null, refused: false },
    ...{
      heard: { answer: false, main: 0, retry: 0 },
      contested: false,
      excused: 0,
      reported: false,
      troubles,
    },
  };
}

/** Everything that the dialog of this case can get. The first two are ana's answer, by its hook and by keys. */
export function outcomesOf({ hook, keys, others }: Case): (Outcome | null)[] {
  return [hook, keys, ...others];
}

export function endOf(it: Case, { end }: Pick<Outside, "end">): Outcome | null {
  return end === null ? null : (outcomesOf(it)[end] ?? null);
}

export function shown({ at, hidden, queued }: Outside): Shown {
  if (at === "gone") return "nothing";
  if (hidden || at === "next") return "another dialog";
  return at === "dialog" || (at === "idle" && queued.length === 0) ? at : "working";
}

/** What the client's code calls it. */
export function stateOf(it: Shown): Look["state"] {
  return it === "another dialog" ? "dialog" : it === "nothing" ? "unknown" : it;
}

/** What a key is checked against as it is typed: the dialog, or the composer with what is in it. */
export function sight(it: Outside): string {
  const what = shown(it);
  return what === "idle" || what === "working" ? `composer ${it.composer}` : what;
}
