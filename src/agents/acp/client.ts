/**
 * Any program that speaks the Agent Client Protocol: `run = "acp:gemini --acp"`. Our runner (`oj-acp`) starts it, and
 * reports, draws and takes keys as the scripted agent does.
 */
import { editOf } from "../../core/outbox/reply.ts";
import type { AgentClient, HookMeaning, Launch, LaunchInput } from "../client.ts";
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
    return meaning && untold(meaning);
  },
};

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
