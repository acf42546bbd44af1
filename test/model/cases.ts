/** Every kind of thing that is delivered to an agent, one case each: what is asked, what ana says, what others may say. */
import type { Prompt } from "../../src/core/model/agent-types.ts";
import type { Outcome } from "./outcomes.ts";
import { accepted, answers, changed, cleared, denied, dialog, escaped, rejected, yes } from "./outcomes.ts";

export interface Case {
  name: string;
  /** How the agent stands when ana is asked. */
  begins: "dialog" | "idle" | "errored" | "gone" | "works";
  prompt: Prompt | null;
  answer: { option: string | null; choices?: number[][]; text?: string; message?: string; input?: unknown };
  /** What the dialog gets if ana's answer reaches it by its hook or by keys; null: it can't go that way. */
  hook: Outcome | null;
  keys: Outcome | null;
  /** What somebody in the terminal may say instead. */
  others: readonly Outcome[];
  /** Words go with the answer that the dialog can't take: the agent hears them by themselves. */
  remark: boolean;
}

const NEVER = { hook: null, keys: null, others: [], prompt: null, remark: false };
const of = (kind: Prompt["kind"]) => ({ begins: "dialog" as const, prompt: dialog(kind), remark: false });
const APPROVAL = { ...of("approval"), others: [yes, rejected("approval", "Not that."), escaped("approval")] };
const QUESTION = {
  ...of("question"),
  others: [answers("One", "Tests"), answers("Two", "Docs"), escaped("question")],
};
const PLAN = { ...of("plan"), others: [accepted, cleared, rejected("plan", "Otherwise."), escaped("plan")] };

export const CASES: readonly Case[] = [
  { ...APPROVAL, name: "approve", answer: { option: "approve" }, hook: yes, keys: yes },
  {
    ...{ ...APPROVAL, name: "approve, with a message", answer: { option: "approve", message: "Quickly." } },
    ...{ hook: yes, keys: yes, remark: true },
  },
  {
    ...{ ...APPROVAL, name: "approve, changed", remark: true },
    ...{ answer: { option: "approve", input: { command: "make -n" } }, hook: changed, keys: null },
  },
  {
    ...{ ...APPROVAL, name: "deny", answer: { option: "deny" } },
    ...{ hook: denied("approval", null), keys: rejected("approval", "The user denied this.") },
  },
  {
    ...{ ...APPROVAL, name: "deny, with a reason", answer: { option: "deny", message: "Too slow." } },
    ...{ hook: denied("approval", "Too slow."), keys: rejected("approval", "Too slow.") },
  },
  {
    ...{ ...QUESTION, name: "answer two questions", answer: { option: null, choices: [[1], [1]] } },
    ...{ hook: answers("One", "Tests"), keys: answers("One", "Tests") },
  },
  {
    ...{ ...QUESTION, name: "answer with words of one's own" },
    answer: { option: null, choices: [[3], [2]], text: "Three" },
    ...{ hook: answers("Three", "Docs"), keys: answers("Three", "Docs") },
  },
  { ...PLAN, name: "accept a plan", answer: { option: "accept-auto" }, hook: accepted, keys: accepted },
  { ...PLAN, name: "accept a plan, clear", answer: { option: "accept-clear" }, hook: null, keys: cleared },
  {
    ...{ ...PLAN, name: "revise a plan", answer: { option: "revise", message: "Shorter." } },
    ...{ hook: denied("plan", "Shorter."), keys: rejected("plan", "Shorter.") },
  },
  { ...NEVER, name: "nudge an idle agent", begins: "idle", answer: { option: "nudge", message: "Go on." } },
  { ...NEVER, name: "retry after an error", begins: "errored", answer: { option: "retry" } },
  { ...NEVER, name: "restart a dead agent", begins: "gone", answer: { option: "retry", message: "Go on." } },
  { ...NEVER, name: "answer a request", begins: "works", answer: { option: null, choices: [[1]] } },
];

/** Whether whoever gave the outcome said what ana says. A No without a reason is any No. */
export function isSame({ hook, keys }: Case, { says }: Outcome): boolean {
  const wanted = (hook ?? keys)?.says ?? "";
  return says === wanted || (wanted === "no" && says.startsWith("no"));
}
