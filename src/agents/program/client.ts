/** Any other program in a terminal. We know only its process, its output and the prompts that the runbook declares. */
import type { Agent, Prompt } from "../../core/model/agent-types.ts";
import { PROGRAM } from "../../core/model/clients.ts";
import { canonical, sha256 } from "../../core/text/hash.ts";
import type { AgentClient } from "../client.ts";

const PROMPT_LINES = 15;

export const program: AgentClient = {
  kind: PROGRAM,
  hooks: [],
  settings: null,
  session: null,
  givesReceipts: false,
  hasKnownScreen: false,
  promises: {
    approval: "best effort",
    edited: null,
    question: "best effort",
    plan: null,
    idle: "best effort",
    error: null,
    dead: "exact",
    gate: "best effort",
    request: "best effort",
  },
  hidesDialogs: false,
  reportsRefusals: true,
  reportsStart: "at once",
  asksTrust: false,
  writesCalls: false,
  variables: [],
  olderThanTested: null,
  isStartedBy: () => false,
  endsWithTurn: () => false,
  launch: ({ script, values }) => ({
    argv: ["bash", "-c", script],
    env: { ...values },
    files: {},
    saysMessage: false,
  }),
  read: () => null,
  reply: () => null,
  look: () => ({ state: "unknown" }),
  dialogMarks: [],
  keys: (prompt, reply, screen, done) => {
    if (done.length > 0) return { type: "done" };
    if (!isShown(prompt, screen)) return { type: "wait" };
    if (reply.type !== "keys") return { type: "give-up", reason: "this program's prompt takes keys only" };
    return { type: "press", keys: reply.keys.split(" "), sends: true };
  },
  shown: () => null,
  shows: isShown,
  declared: declaredPrompt,
  heard: () => "nothing",
  timesSaid: () => 0,
  kept: () => ({ open: [], ended: [], last_message: "", begun: false, error: null }),
  news: () => [],
  keeps: () => null,
  callName: (tool) => tool,
  fileChange: () => null,
  amends: () => false,
  subagentsOf: () => null,
  registered: () => null,
  composed: () => "",
  clearing: () => [],
  resumes: () => false,
  guard: (text) => text,
};

/**
 * Whether the end of the screen is as it was when the prompt was seen. The next prompt may look like it, further down.
 */
function isShown({ input }: Prompt, screen: string): boolean {
  return (input as { screen?: unknown }).screen === lowerPart(screen);
}

function lowerPart(screen: string): string {
  return screen.trimEnd().split("\n").slice(-PROMPT_LINES).join("\n");
}

/**
 * The prompt at the end of the screen, as the runbook declares it. One that looks just like the last one is another:
 * since when the agent is at work tells them apart.
 */
function declaredPrompt({ def, incarnation, changed_at_ms }: Agent, screen: string): Prompt | null {
  const lower = lowerPart(screen);
  for (const pattern of def.prompts) {
    const found = matchOf(pattern.match, lower);
    if (found === null) continue;
    const input = { prompt: found, screen: lower };
    return {
      key: `${incarnation}:${changed_at_ms}:${sha256(lower).slice(0, 16)}`,
      kind: "approval",
      tool: "prompt",
      input,
      sha256: sha256(canonical(input)),
      questions: [],
      choices: pattern.options,
    };
  }
  return null;
}

/**
 * A pattern in the runbook is a regular expression; one that is invalid is searched for literally. Only a match that
 * reaches into the last line is a prompt that waits: one further up was answered. Returns the whole lines that contain
 * the match.
 */
function matchOf(pattern: string, text: string): string | null {
  const lastLine = text.lastIndexOf("\n") + 1;
  try {
    for (const match of text.matchAll(new RegExp(pattern, "gm"))) {
      if (match.index + match[0].length > lastLine)
        return text.slice(text.lastIndexOf("\n", match.index) + 1);
    }
    return null;
  } catch {
    const at = text.lastIndexOf(pattern);
    return at >= 0 && at + pattern.length > lastLine ? text.slice(text.lastIndexOf("\n", at) + 1) : null;
  }
}
