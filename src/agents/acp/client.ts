/**
 * Any program that speaks the Agent Client Protocol: `run = "acp:gemini --acp"`. Our runner (`oj-acp`) starts it, and
 * reports, draws and takes keys as the scripted agent does.
 */
import type { Prompt } from "../../core/model/agent-types.ts";
import type { Question } from "../../core/model/decision-types.ts";
import { editOf } from "../../core/outbox/reply.ts";
import type { AgentClient, HookMeaning, Launch, LaunchInput, Seen } from "../client.ts";
import { isObject } from "../json-value.ts";
import { ALL_EXACT } from "../promises.ts";
import { scripted } from "../scripted/client.ts";
import { behindRunner } from "./runner-line.ts";

const isAcp = (word: string) => word.startsWith("acp:");

export const acp: AgentClient = {
  ...scripted,
  kind: "acp",
  hooks: ["http"],
  settings: null,
  promises: { ...ALL_EXACT, edited: null, error: "best effort" }, // the protocol has no kinds of errors
  isStartedBy: isAcp,
  endsWithTurn: () => false,
  launch: (input) => scripted.launch({ ...input, script: runnerLine(input) }),
  reply: (prompt, reply) => (editOf(reply) === null ? scripted.reply(prompt, reply) : null),
  read(hook) {
    const meaning = scripted.read(hook);
    return meaning && untold({ ...meaning, seen: meaning.seen.map(withClosed) });
  },
  kept(transcript, subagents) {
    const kept = scripted.kept(transcript, subagents);
    return { ...kept, open: kept.open.map(closedIn) };
  },
};

function withClosed(seen: Seen): Seen {
  return seen.type === "prompted" ? { ...seen, prompt: closedIn(seen.prompt) } : seen;
}

/** The runner says of each question whether its program takes the options alone. */
function closedIn(prompt: Prompt): Prompt {
  const asked = isObject(prompt.input) ? prompt.input.questions : null;
  if (prompt.questions.length === 0 || !Array.isArray(asked)) return prompt;
  const questions = prompt.questions.map((it, at): Question => {
    return isObject(asked[at]) && asked[at].closed === true ? { ...it, closed: true } : it;
  });
  return { ...prompt, questions };
}

/** The same for a program that a line names without `acp:`. `before` and `after`: more words for runner and program. */
export function launchBehindRunner(input: LaunchInput, before: string, after: string): Launch {
  return scripted.launch({ ...input, script: behindRunner(input.script, before, after) });
}

/** The line's own words go to the runner, and end where ours begin. */
function runnerLine({ script }: LaunchInput): string {
  return `${script.trimEnd().replace(/(^|[\s;])(["']?)acp:\s*/, "$1oj-acp $2")} --oj`;
}

/** The program takes words with a prompt alone: whatever it must hear in the middle of a turn follows as one. */
function untold(meaning: HookMeaning): HookMeaning {
  return { ...meaning, tell: meaning.prime === null ? null : meaning.tell, hears: false, reads: false };
}
