/**
 * What a dialog can get, and what its client then says about it: in its hooks, and in the conversation's file. The
 * scripted agent writes both as the recorded client does, and the real client's code reads them.
 */
import { promptOf, readHook } from "../../src/agents/claude/hooks.ts";
import { readTranscripts } from "../../src/agents/claude/transcript.ts";
import { DENIED } from "../../src/agents/hook-output.ts";
import type { CallEnd } from "../../src/core/agent/dialog.ts";
import type { Prompt } from "../../src/core/model/agent-types.ts";
import type { Conversation } from "../../src/scripted-agent/hooks/conversation.ts";
import type { CallResult, Json, ToolCall } from "../../src/scripted-agent/hooks/json.ts";
import { permissionRequest, postToolBatch, postToolUse } from "../../src/scripted-agent/hooks/json.ts";
import { answersText, rejectedWith } from "../../src/scripted-agent/hooks/result-text.ts";
import { keepCall, keepResult } from "../../src/scripted-agent/hooks/transcript.ts";

export interface Outcome {
  name: string;
  /** What it comes to: two answers that say the same are one answer, whoever gave it. */
  says: string;
  /** What the client does next. Without words, a refusal ends the turn; a cleared context is a new conversation. */
  next: "runs" | "works" | "rests" | "clears";
  /** What the report of the tool says (PostToolUse), that of the batch, and the file; null if there is none. */
  ran: CallEnd | null;
  batch: CallEnd | null;
  file: CallEnd | null;
}

export const KEY = "t1";
const COMMON = {
  session_id: "s",
  transcript_path: "",
  cwd: "/",
  prompt_id: null,
  permission_mode: "default",
};
const INTERRUPTED = "[Request interrupted by user for tool use]";

const labels = (...all: string[]) => all.map((label) => ({ label, description: "" }));
const QUESTIONS = [
  { question: "Which?", header: "A", multiSelect: false, options: labels("One", "Two") },
  { question: "What else?", header: "B", multiSelect: true, options: labels("Tests", "Docs") },
];
const CALLS = {
  approval: { name: "Bash", input: { command: "make" } },
  question: {
    name: "AskUserQuestion",
    input: {
      questions: QUESTIONS,
    },
  },
  plan: { name: "ExitPlanMode", input: { plan: "# Do it", planFilePath: "/plan.md" } },
} as const satisfies Record<Prompt["kind"], { name: string; input: Json }>;
type Kind = Prompt["kind"];

const callOf = (kind: Kind, id = KEY): ToolCall => ({ ...CALLS[kind], id }) as ToolCall;

/** The dialog that is asked about, and another one just like it. */
export function dialog(kind: Kind, key = KEY): Prompt {
  return { ...promptOf(permissionRequest(COMMON, callOf(kind, key))), key };
}

export const yes = ran("approval", "yes", { stdout: "" });
export const changed = ran("approval", "yes, changed", { stdout: "" }, { input: { command: "make -n" } });
export const accepted = ran("plan", "accepted", { plan: "# Do it", filePath: "/plan.md" });
export const cleared: Outcome = {
  ...{
    name: "accepted, context cleared",
    says: "accepted",
    next: "clears",
    ran: null,
    batch: null,
    file: null,
  },
};
export function answers(first: string, second: string): Outcome {
  const given = { "Which?": first, "What else?": second };
  return ran(
    "question",
    `${first}; ${second}`,
    { answers: given },
    { text: answersText(QUESTIONS, given, {}) },
  );
}
/** Somebody at the keyboard: a bare No ends the turn, with nothing reported. */
export const escaped = (kind: Kind): Outcome => ({
  ...refused(kind, "no", INTERRUPTED, "rests"),
  ...{ name: "escaped", batch: null },
});
export const rejected = (kind: Kind, words: string) => refused(kind, `no: ${words}`, rejectedWith(words));
/** In a hook's response. */
export const denied = (kind: Kind, words: string | null) =>
  refused(kind, words === null ? "no" : `no: ${words}`, words ?? DENIED);

function ran(kind: Kind, says: string, response: Json, more: Partial<CallResult> = {}): Outcome {
  const call = callOf(kind);
  const result = { call, response, text: "done", ...more };
  return {
    name: says,
    says,
    next: "runs",
    ran: said(postToolUse(COMMON, result, 1)),
    ...kept(result, false),
  };
}

function refused(kind: Kind, says: string, text: string, next: Outcome["next"] = "works"): Outcome {
  return { name: says, says, next, ran: null, ...kept({ call: callOf(kind), response: "no", text }, true) };
}

function kept(result: CallResult, isDenied: boolean): Pick<Outcome, "batch" | "file"> {
  const lines: object[] = [];
  const place = { conversation: { note: (line: object) => void lines.push(line) } as Conversation };
  keepCall(place, result.call);
  keepResult(place, result, isDenied);
  const { ended } = readTranscripts(lines.map((it) => JSON.stringify(it)).join("\n"), []);
  const { key: _, ...file } = ended[0] ?? { key: "" };
  return { batch: said(postToolBatch(COMMON, [result])), file };
}

function said(hook: Json): CallEnd {
  const [seen] = readHook(hook).seen;
  if (seen?.type !== "answered" || seen.key !== KEY) throw new Error("no end of the call was reported");
  const { type: _, key: __, ...end } = seen;
  return end;
}
