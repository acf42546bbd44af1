/** Questions to the person: asked on the screen and by hook, with the answers passed to the model. */

import type { Json, ToolCall } from "./hooks/json.ts";
import { beforeTool, isObject, preToolUse } from "./hooks/json.ts";
import { answersText, CLARIFY } from "./hooks/result-text.ts";
import { keepCall } from "./hooks/transcript.ts";
import { decide } from "./permission.ts";
import type { Question, Step } from "./scenario/scenario.ts";
import type { Outcome } from "./screen/dialog.ts";
import { questionDialog } from "./screen/make-dialog.ts";
import type { Flow, Stage } from "./stage.ts";
import { commonOf, filled, newCall, reportCall, show, showBelow, tell } from "./stage.ts";
import { denied, interrupted, missing } from "./verdict.ts";

export async function askQuestions(stage: Stage, step: Extract<Step, { type: "ask" }>): Promise<Flow> {
  if (stage.printing) return missing(stage, "AskUserQuestion");
  const questions = step.questions.map((it) => ({ ...it, question: filled(stage, it.question) }));
  const call = newCall("AskUserQuestion", { questions });
  keepCall(stage, call);
  const before = beforeTool(await stage.hooks.send(preToolUse(commonOf(stage), call)));
  if (before.decision === "deny") {
    const text = `PreToolUse:AskUserQuestion hook error: ${before.reason}`;
    return denied(stage, call, { by: "pre_tool_use", text, message: before.reason });
  }
  if (before.decision === "allow" && before.input)
    return answered(stage, call, questions, before.input, "pre_tool_use");

  const verdict = await decide(stage, call, questionDialog(questions), { needsInput: true });
  if (verdict.by === "keys") return byKeys(stage, call, questions, verdict.outcome);
  if (verdict.by === "nobody") return interrupted(stage, call, null);
  const { allow, input, message, interrupt } = verdict.permission;
  if (allow && input) return answered(stage, call, questions, input, "hook");
  if (interrupt) return interrupted(stage, call, message);
  return denied(stage, call, { by: "hook", text: message ?? "Permission denied" });
}

async function byKeys(stage: Stage, call: ToolCall, questions: Question[], outcome: Outcome): Promise<Flow> {
  if (outcome.type === "answers") {
    const input = { questions, answers: outcome.answers, annotations: {} };
    return answered(stage, call, questions, input, "keys");
  }
  show(stage, "User declined to answer questions", "● ");
  if (outcome.type !== "chat") return interrupted(stage, call, null);
  stage.record("chat", { tool: call.name });
  tell(stage, "message", CLARIFY);
  await reportCall(stage, { call, response: CLARIFY, text: CLARIFY }, true);
  return "branch";
}

async function answered(
  stage: Stage,
  call: ToolCall,
  questions: Question[],
  input: Json,
  by: string,
): Promise<Flow> {
  const answers = joined(isObject(input.answers) ? input.answers : {});
  const annotations = isObject(input.annotations) ? input.annotations : {};
  const text = answersText(questions, answers, annotations);
  stage.record("answered", { answers, annotations, by, text });
  tell(stage, "answer", Object.values(answers).join(", "));
  show(stage, "User answered Claude's questions:", "● ");
  if (by === "hook") showBelow(stage, "Allowed by PermissionRequest hook");
  const shown = Object.entries(answers).map(([question, answer]) => `· ${question} → ${answer}`);
  showBelow(stage, shown.join("\n"));
  await reportCall(stage, { call, input, response: { questions, answers, annotations }, text }, false);
  return "on";
}

/** Answers are texts; several choices may come as a list. */
function joined(answers: Json): Record<string, string> {
  const one = (it: unknown) => (Array.isArray(it) ? it.join(", ") : String(it));
  return Object.fromEntries(Object.entries(answers).map(([question, it]) => [question, one(it)]));
}
