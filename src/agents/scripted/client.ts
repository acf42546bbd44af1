/**
 * The scripted agent (`oj-agent`), which uses Claude Code's hooks and draws its dialogs, but keeps its conversations
 * elsewhere.
 */
import { claudeCode } from "../claude/client.ts";
import { launch } from "../claude/launch.ts";
import type { AgentClient } from "../client.ts";

const isScripted = (word: string) => word.split("/").at(-1) === "oj-agent";

export const scripted: AgentClient = {
  ...claudeCode,
  kind: "scripted",
  session: null,
  asksTrust: false,
  writesCalls: false,
  variables: ["OJ_AGENT_HOME"],
  olderThanTested: null,
  isStartedBy: isScripted,
  launch: (input) => launch(input, isScripted, []),
  keeps({ env, folder }, id) {
    const own = env.OJ_AGENT_HOME || folder;
    return { file: `${own}/conversations/${id}.jsonl`, among: null, registry: `${own}/sessions` };
  },
  resumes: () => true,
};
