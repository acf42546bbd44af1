/** Changing what an agent may run or build, as text: the part of its input that a person edits, and the input with it. */
import type { DecisionView } from "../api/api.ts";
import { AS_IS } from "../core/decision/edited.ts";
import type { AnswerForm, Inbox } from "./model.ts";
import { formOf, isOpen } from "./model.ts";

type Asked = Pick<DecisionView, "source" | "action" | "options">;
type Input = Record<string, unknown>;

export interface EditText {
  text: string;
  /** The value that is edited; null if it is the whole input, as JSON. */
  key: string | null;
  /** What a file with it is called, so that an editor knows what it is. */
  ending: string;
}

/** The value that people want to change, by its key in the inputs of the usual tools. */
const MAIN = { command: ".sh", new_string: ".txt", content: ".txt", new_source: ".txt" } as const;

/** The options that a change can go with, the one that allows least first. */
const EDITABLE = ["approve", "accept-manual", "accept-auto"];

const UNCHANGED = "nothing was changed";

/** What there is to edit; null if the decision can't be answered with a change. */
export function editText(decision: Asked): EditText | null {
  const input = inputOf(decision);
  if (input === null || editable(decision).length === 0) return null;
  if (decision.source === "plan")
    return typeof input.plan === "string" ? { text: input.plan, key: "plan", ending: ".md" } : null;
  for (const [key, ending] of Object.entries(MAIN)) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (typeof value === "string") return { text: value, key, ending };
  }
  return { text: `${JSON.stringify(input, null, 2)}\n`, key: null, ending: ".json" };
}

/** Why there is nothing to edit. */
export function whyAsIs({ action }: Pick<Asked, "action">): string {
  return action?.as_is ? AS_IS : "only an approval or a plan can be changed";
}

/** The input with the edited text in its place, or what is wrong with the text. */
export function inputWith(decision: Asked, edited: string): { input: Input } | { problem: string } {
  const { text, key } = editText(decision) ?? { text: "", key: null };
  if (key !== null) {
    // editors end a file with a line end, whether or not the text had one
    const own = text.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "");
    if (own === text) return { problem: UNCHANGED };
    if (own.trim() === "") return { problem: "nothing is left of it" };
    return { input: { ...inputOf(decision), [key]: own } };
  }
  const parsed = jsonIn(edited);
  if (parsed === null) return { problem: "it is not a JSON object" };
  if (JSON.stringify(parsed) === JSON.stringify(inputOf(decision))) return { problem: UNCHANGED };
  return { input: parsed };
}

/** The JSON object in a text; null if it is something else. */
export function jsonIn(text: string): Input | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Input) : null;
  } catch {
    return null;
  }
}

function inputOf({ source, action }: Asked): Input | null {
  const input = source === "approval" || source === "plan" ? action?.input : null;
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as Input) : null;
}

/** The options of this decision that a change can go with. */
export function editable({ action, options }: Pick<Asked, "action" | "options">): Asked["options"] {
  if (action?.as_is) return [];
  return EDITABLE.flatMap((key) => options.filter((it) => it.key === key));
}

/** The input that goes with an approval; null if it goes as it was asked. */
export function changeIn(decision: DecisionView, { edit }: AnswerForm): ReturnType<typeof inputWith> | null {
  if (edit === undefined) return null;
  const change = inputWith(decision, edit);
  return "problem" in change && change.problem === UNCHANGED ? null : change;
}

/** The text as the person left it. If it differs, an option that takes it is chosen, and is still to be sent. */
export function onEdited(inbox: Inbox, id: string, text: string | null): Inbox {
  const decision = inbox.details.get(id);
  if (!decision || !isOpen(inbox, id)) return inbox;
  const options = editable(decision);
  const [before] = formOf(inbox, id).choices[0] ?? [];
  const taken = options.find((it) => it.number === before) ?? options[0];
  if (!taken) return inbox;
  const { edit: _, ...form } = formOf(inbox, id);
  const edited: AnswerForm = text === null ? form : { ...form, edit: text };
  const chosen =
    changeIn(decision, edited) === null ? {} : { choices: [[taken.number]], cursor: taken.number - 1 };
  return { ...inbox, forms: new Map(inbox.forms).set(id, { ...edited, ...chosen }) };
}

/** What an editor left of the text that it opened. If nothing was changed there, an earlier change stays. */
export function leftAs({ edit }: AnswerForm, opened: string, left: string): string | null {
  return left === opened || left === `${opened}\n` ? (edit ?? null) : left;
}

/** What became of a text that a person wrote elsewhere, while anything may have happened here. */
export function editedWords(inbox: Inbox, id: string): string {
  const decision = inbox.details.get(id);
  if (!decision || !isOpen(inbox, id)) return `${id} no longer takes an answer: your change was not taken`;
  const change = changeIn(decision, formOf(inbox, id));
  if (change === null) return "nothing was changed";
  return "problem" in change
    ? `the change can't be sent: ${change.problem}`
    : "changed: Enter approves it as you changed it";
}
