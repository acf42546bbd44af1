/** What both inboxes know: the pending decisions, the one in focus, and what the person has begun to answer. Pure data. */
import type {
  DecisionBrief,
  DecisionView,
  Rememberable,
  RememberBody,
  ResolveBody,
  SuggestionView,
} from "../api/api.ts";
import { isQuiet } from "./card/waits.ts";

export interface Inbox {
  /** Pending decisions, and those just answered that can still be undone. */
  items: ReadonlyMap<string, DecisionBrief>;
  /** Decisions whose whole text has been loaded. */
  details: ReadonlyMap<string, DecisionView>;
  /** An id, so that no arrival moves the focus. If the items no longer have it, it shows how the decision ended. */
  selected: string | null;
  filter: { high: boolean; text: string };
  /** Answers that the person has begun, by decision: they survive a look at another one. */
  forms: ReadonlyMap<string, AnswerForm>;
  /** How many screens of a loaded decision's text have not been on screen yet. Not in it: none of it has. */
  seen: ReadonlyMap<string, number>;
  /** Decisions to be answered together; all of them are listed. */
  marked: ReadonlySet<string>;
  /** The groups of decisions that are alike and shown one by one. All others are a row each. */
  unfolded: ReadonlySet<string>;
  /** Answers on their way to the daemon. */
  sending: ReadonlySet<string>;
  /**
   * Answers given here that have not gone out yet, newest last: these can be undone. What was answered together is
   * undone together.
   */
  undoable: readonly (readonly string[])[];
  /** Answers given here, newest last: their delivery is shown. */
  answered: readonly string[];
  /** Rules that people's answers suggest, the best-founded first. */
  suggestions: readonly SuggestionView[];
  mode: Mode;
  notice: Notice | null;
  /** Keys are ignored before this time: the screen has just changed under the fingers. */
  guarded_until_ms: number;
  /** Full: the daemon is there, and has no stream for us; what is shown may be out of date. */
  /** When the last letter of an answer's words was typed. */
  typed_at_ms: number;
  connection: "connecting" | "live" | "offline" | "away" | "full";
}

export type Mode =
  | { type: "list" }
  /** The person is typing: a free answer, or a message that goes with one. */
  | { type: "write"; field: "text" | "message" }
  | { type: "filter" }
  | { type: "confirm"; what: "dismiss" | "together"; ids: readonly string[] }
  /** The rule for this approval; `rest` more screens of it have not been on screen, null: none of it has. */
  | {
      type: "remember";
      id: string;
      found: Rememberable | null;
      scope: "once" | "job" | "project" | null;
      rest: number | null;
    }
  /** A rule that is suggested, as it was when it was opened; `rest` as above. */
  | { type: "suggestion"; key: string; hash: string; scope: "project" | "never" | null; rest: number | null }
  | { type: "help" }
  | { type: "peek"; agent_id: string };

export interface AnswerForm {
  /** Which question is in focus; one past the last is where the answers are sent. */
  at: number;
  /** Which option is in focus. */
  cursor: number;
  /** The numbers chosen: a list for each question, or one list if there are none. */
  choices: readonly (readonly number[])[];
  /** Free text for each question; only the first if there are none. */
  texts: readonly string[];
  message: string;
  /** What the person made of the agent's command, edit or plan, as text. */
  edit?: string;
}

export interface Notice {
  kind: "info" | "warning" | "error";
  /** May contain the words of agents and people: make it safe before showing it. */
  text: string;
  /** The key that helps, where there are keys. */
  key?: string;
  at_ms: number;
}

export type Effect =
  /** With `isNews`, what is on its way already may be too old. */
  | { type: "load"; id: string; isNews?: boolean }
  | { type: "resolve"; id: string; body: ResolveBody }
  | { type: "resolve-all"; ids: readonly string[]; body: ResolveBody }
  /** The person wants to see the rule that this approval would become. */
  | { type: "propose"; id: string }
  | { type: "remember"; id: string; body: RememberBody }
  | { type: "accept-suggestion"; key: string; hash: string }
  | { type: "decline-suggestion"; key: string }
  | { type: "undo"; ids: readonly string[] }
  | { type: "claim"; id: string; isOver: boolean }
  | { type: "open"; id: string }
  /** The person looks at this one for the first time. */
  | { type: "look"; id: string }
  /** The person wants to change this text, in an editor or a field: `edited` says what became of it. */
  | { type: "edit"; id: string; text: string; ending: string }
  | { type: "quit" };

export interface Step {
  inbox: Inbox;
  effects: Effect[];
}

/** How many answers given here still show their delivery. */
export const MAX_ANSWERED = 5;

/** How many whole texts are kept; a person looks at few at a time. */
export const MAX_DETAILS = 200;

/** How many decisions can be looked at, and answered, together. */
export const MAX_TOGETHER = 100;

/** How long keys are ignored after the decision in focus changed by itself. */
export const GUARD_MS = 400;

/** Whoever typed a letter of words so shortly before is still typing. */
export const TYPING_MS = 2000;

const emptyForm: AnswerForm = { at: 0, cursor: 0, choices: [], texts: [], message: "" };

export function emptyInbox(): Inbox {
  return {
    items: new Map(),
    details: new Map(),
    selected: null,
    filter: { high: false, text: "" },
    forms: new Map(),
    seen: new Map(),
    marked: new Set(),
    unfolded: new Set(),
    sending: new Set(),
    undoable: [],
    answered: [],
    suggestions: [],
    mode: { type: "list" },
    notice: null,
    guarded_until_ms: 0,
    typed_at_ms: Number.NEGATIVE_INFINITY,
    connection: "connecting",
  };
}

export function formOf({ forms }: Inbox, id: string): AnswerForm {
  return forms.get(id) ?? emptyForm;
}

/** Whether the decision still takes an answer from here. */
export function isOpen({ items, sending }: Inbox, id: string): boolean {
  const item = items.get(id);
  return item !== undefined && item.state === "pending" && item.held === null && !sending.has(id);
}

/** Whether a decision waits for a person, and is not already answered. */
export function isWaiting({ state, held }: DecisionBrief): boolean {
  return state === "pending" && held === null;
}

/** How many decisions wait for a person; those that block nothing yet are counted apart. */
export function waiting(inbox: Inbox): number {
  return counted(inbox, (it) => !isQuiet(it));
}

export function asideIn(inbox: Inbox): number {
  return counted(inbox, isQuiet);
}

function counted({ items }: Inbox, is: (item: DecisionBrief) => boolean): number {
  let count = 0;
  for (const item of items.values()) if (isWaiting(item) && is(item)) count += 1;
  return count;
}

export function withForm(inbox: Inbox, id: string, change: Partial<AnswerForm>): Inbox {
  const forms = new Map(inbox.forms);
  forms.set(id, { ...formOf(inbox, id), ...change });
  return { ...inbox, forms };
}

/** The text so far: a message, or an answer to the question in focus. */
export function wordsIn(form: AnswerForm, field: "text" | "message", at = form.at): string {
  return field === "message" ? form.message : (form.texts[at] ?? "");
}

export function withWords(
  inbox: Inbox,
  id: string,
  field: "text" | "message",
  text: string,
  at = formOf(inbox, id).at,
): Inbox {
  if (field === "message") return withForm(inbox, id, { message: text });
  const { texts } = formOf(inbox, id);
  const count = Math.max(texts.length, at + 1);
  return withForm(inbox, id, {
    texts: Array.from({ length: count }, (_, n) => (n === at ? text : (texts[n] ?? ""))),
  });
}

export function withNotice(inbox: Inbox, kind: Notice["kind"], text: string, at_ms: number): Inbox {
  return { ...inbox, notice: { kind, text, at_ms } };
}

export function only(inbox: Inbox, ...effects: Effect[]): Step {
  return { inbox, effects };
}
