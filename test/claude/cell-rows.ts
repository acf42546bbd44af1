/**
 * Every kind of answer to a question about an agent: how it is raised, how it is given, and what must reach the model.
 */

import { EVERYTHING } from "./everything.ts";
import type { Step } from "./model-api.ts";
import { bash, text, tool } from "./model-api.ts";
import { parts, store } from "./scripts.ts";

export type Source = "approval" | "question" | "plan" | "idle" | "error" | "gate" | "dead" | "request";

export interface Row {
  source: Source;
  /** The answer's name in the table. */
  name: string;
  /** Its name in scripts; no other row's key begins with it. */
  key: string;
  /** The arguments of `oj decision resolve`; `MARK` in them is the text that must reach the model. */
  answer: string[];
  /** What must reach the model: as the tool's result (`hears`), or as text if the agent was gone (`words`). */
  hears: RegExp;
  words: RegExp;
  /** What makes the client ask, if that differs between rows. */
  asks?: Step;
  /** Set if the answer ends the agent's work or leaves it waiting: then it is the last row of its lane. */
  ends?: "cancelled" | "completed" | "left";
  /** The answer is refused; the next row answers the same question. */
  refused?: true;
}

/** A text that is said with this answer and nowhere else. */
export const markOf = ({ key }: Row) => `Mind the ${key}.`;

const said = ["-m", "MARK"];
const ANY = /(?:)/;

type Given = Omit<Row, "source" | "key" | "hears" | "words"> & { hears?: RegExp; words?: RegExp };

function lane(source: Source, rows: Given[]): Row[] {
  return rows.map(({ hears = ANY, words = hears, ...row }, n) => ({
    ...row,
    source,
    key: `${source}-${String.fromCharCode(97 + n)}`,
    hears,
    words,
  }));
}

const runs = (key: string) => bash(`touch ${key}; echo ran ${key}`);
const asks = (...questions: object[]) => tool("AskUserQuestion", { questions });

const YES = { hears: /ran approval-\w/, words: /Bash was approved/ };
const NO = { hears: /\[error\]/, words: /Bash was denied/ };
const approvals = lane("approval", [
  { name: "Approve", answer: ["1"], ...YES },
  { name: "Approve, with a message", answer: ["1", ...said], ...YES },
  {
    name: "Approve, with a message, and the call fails",
    answer: ["1", ...said],
    asks: bash("touch failing; echo ran approval-c; exit 3"),
    ...YES,
  },
  { name: "Deny", answer: ["2"], ...NO },
  { name: "Deny, with a message", answer: ["2", ...said], ...NO },
  { name: "a message alone", answer: said, refused: true },
  { name: "Dismiss, with a message", answer: ["4", ...said], ends: "left" },
]).map((row): Row => (row.asks ? row : { ...row, asks: runs(row.key) }));

const POSTGRES = { hears: /Postgres/ };
const questions = lane("question", [
  { name: "an option", answer: ["2"], asks: asks(store), ...POSTGRES },
  { name: "an option, with a message", answer: ["2", ...said], asks: asks(store), ...POSTGRES },
  {
    name: "an option, with words of your own",
    answer: ["2", "--text", "MARK"],
    asks: asks(store),
    ...POSTGRES,
  },
  { name: "Other", answer: ["3", "--text", "MARK"], asks: asks(store) },
  {
    name: "Other, with a message",
    answer: ["3", "--text", "DuckDB", ...said],
    asks: asks(store),
    hears: /DuckDB/,
  },
  { name: "a message alone", answer: said, asks: asks(store) },
  {
    name: "several questions",
    answer: ["2", "1,3"],
    asks: asks(store, parts),
    hears: /Postgres[\s\S]*Auth, Export/,
  },
  {
    name: "several questions, Other among them, with a message",
    answer: ["2", "1,4", "--text", "PDF", ...said],
    asks: asks(store, parts),
    hears: /Postgres[\s\S]*Auth[\s\S]*PDF/,
  },
  {
    name: "several of one question, Other among them",
    answer: ["1,4", "--text", "MARK"],
    asks: asks(parts),
    hears: /Auth/,
  },
  { name: "Cancel, with a message", answer: ["cancel", ...said], asks: asks(store), ends: "cancelled" },
]);

const BUILT = { hears: /approved your plan|Implement the following plan/, words: /plan was accepted/ };
const plans = lane("plan", [
  { name: "Accept (clear context)", answer: ["1"], ...BUILT },
  { name: "Accept (clear context), with a message", answer: ["1", ...said], ...BUILT },
  { name: "Accept (auto edits)", answer: ["2"], ...BUILT },
  { name: "Accept (auto edits), with a message", answer: ["2", ...said], ...BUILT },
  { name: "Accept (manual edits)", answer: ["3"], ...BUILT },
  { name: "Accept (manual edits), with a message", answer: ["3", ...said], ...BUILT },
  { name: "Revise", answer: ["4"], refused: true },
  { name: "Revise, with a message", answer: ["4", ...said], hears: /\[error\]/, words: /revise your plan/ },
  { name: "a message alone", answer: said, hears: /\[error\]/, words: /revise your plan/ },
  { name: "Cancel", answer: ["5"], ends: "cancelled" },
]);

const idles = lane("idle", [
  { name: "Nudge", answer: ["1"], hears: /Please continue with your task\./ },
  { name: "Nudge, with a message", answer: ["1", ...said] },
  { name: "a message alone", answer: said },
  { name: "Reply", answer: ["1"], refused: true },
  { name: "Reply, with a message", answer: ["1", ...said], asks: text("Which one first (idle-e)?") },
  { name: "a message alone, to a question", answer: said, asks: text("And then (idle-f)?") },
  { name: "Done, with a message", answer: ["2", ...said], ends: "completed" },
]);

const FAILED = /An error interrupted you: API Error/;
const errors = lane("error", [
  { name: "Retry", answer: ["1"], hears: FAILED },
  { name: "Retry, with a message", answer: ["1", ...said], hears: FAILED },
  { name: "a message alone", answer: said, hears: FAILED },
  { name: "Skip, with a message", answer: ["2", ...said], ends: "completed" },
]);

const CHECK = /A check failed:[\s\S]*exit code 3[\s\S]*two tests are red/;
const gates = lane("gate", [
  { name: "Retry", answer: ["1"], hears: CHECK },
  { name: "Retry, with a message", answer: ["1", ...said], hears: CHECK },
  { name: "a message alone", answer: said, hears: CHECK },
  { name: "Skip", answer: ["2"], ends: "completed" },
]);

const KILLED = /You were interrupted: your process died/;
const deaths = lane("dead", [
  { name: "Retry", answer: ["1"], hears: KILLED },
  { name: "Retry, with a message", answer: ["1", ...said], hears: KILLED },
  { name: "a message alone", answer: said, hears: KILLED },
  { name: "Dismiss", answer: ["4"], ends: "left" },
]);

const requests = lane("request", [
  { name: "an option", answer: ["1"], hears: /was answered by .*: yes/ },
  { name: "an option, with a message", answer: ["1", ...said], hears: /was answered by .*: yes/ },
  { name: "a message alone", answer: said, hears: /was answered by/ },
]);

export const ROWS: Row[] = [
  ...approvals,
  ...questions,
  ...plans,
  ...idles,
  ...errors,
  ...gates,
  ...deaths,
  ...requests,
];

export function rowsOf(source: Source): Row[] {
  return ROWS.filter((it) => it.source === source);
}

const HARDEST = [
  "Approve, with a message",
  "Deny, with a message",
  "an option, with a message",
  "several questions, Other among them, with a message",
  "Accept (clear context), with a message",
  "Revise, with a message",
  "Nudge, with a message",
  "Retry, with a message",
];

/** The answers that must reach the model, whichever way they take. */
export function toldRows(source: Source): Row[] {
  const told = rowsOf(source).filter((it) => it.ends === undefined && !it.refused);
  return EVERYTHING ? told : told.filter((it) => HARDEST.includes(it.name));
}
