/** Questions to the person, by hook and on the screen: the first answer wins. */
import { randomUUID } from "node:crypto";
import type { Json } from "../scripted-agent/hooks/json.ts";
import { isObject as isJson, preToolUse } from "../scripted-agent/hooks/json.ts";
import { keepCall } from "../scripted-agent/hooks/transcript.ts";
import { decide } from "../scripted-agent/permission.ts";
import type { Question } from "../scripted-agent/scenario/scenario.ts";
import { questionDialog } from "../scripted-agent/screen/make-dialog.ts";
import { commonOf, reportCall, showBelow } from "../scripted-agent/stage.ts";
import type { Session } from "./session.ts";

/** The answer to each question as one text; null if there are none. */
export async function askAll(
  { stage, owed }: Session,
  questions: Question[],
): Promise<Record<string, string> | null> {
  const call = { name: "AskUserQuestion", input: { questions } as Json, id: `acp_${randomUUID()}` };
  keepCall(stage, call);
  await stage.hooks.send(preToolUse(commonOf(stage), call));
  const verdict = await decide(stage, call, questionDialog(questions), { needsInput: true });
  const given =
    verdict.by === "hook" && verdict.permission.allow
      ? (verdict.permission.input ?? {})
      : verdict.by === "keys" && verdict.outcome.type === "answers"
        ? { answers: verdict.outcome.answers }
        : null;
  if (given === null) {
    const message = verdict.by === "hook" ? verdict.permission.message : null;
    if (message !== null) owed.add(message);
    if (verdict.by === "keys" && verdict.outcome.type === "escape") stage.abort.abort();
    const text = message ?? "The user did not answer.";
    await reportCall(stage, { call, response: text, text }, true);
    return null;
  }
  const answers = Object.fromEntries(
    Object.entries(isJson(given.answers) ? given.answers : {}).map(([question, it]) => [
      question,
      String(it),
    ]),
  );
  for (const [question, answer] of Object.entries(answers))
    showBelow(stage, `${question.split("\n")[0]} → ${answer}`);
  for (const note of notesIn(given)) owed.add(`The user adds: ${note}`);
  const text = JSON.stringify(answers);
  await reportCall(
    stage,
    { call, input: { questions, answers }, response: { questions, answers }, text },
    false,
  );
  return answers;
}

function notesIn({ annotations }: Json): string[] {
  return Object.values(isJson(annotations) ? annotations : {}).flatMap((it) =>
    isJson(it) && typeof it.notes === "string" ? [it.notes] : [],
  );
}
