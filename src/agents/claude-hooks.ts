/** What the JSON of a Claude Code hook means. Everything in it is hostile until it is read here. */
import type { Prompt } from "../core/agent-types.ts";
import type { Question } from "../core/decision-types.ts";
import { canonical, sha256 } from "../core/hash.ts";
import type { HookMeaning, Seen } from "./client.ts";

type Json = Record<string, unknown>;

export function readHook(hook: unknown): HookMeaning | null {
  if (!isObject(hook)) return null;
  const conversation = text(hook.session_id) || null;
  const nothing: HookMeaning = { conversation, seen: [], hold: false, tool: null, prime: null };
  const subagent = text(hook.agent_id) !== "";
  switch (hook.hook_event_name) {
    case "SessionStart":
      return {
        ...nothing,
        seen: conversation ? [{ type: "conversation", conversation }] : [],
        prime: primeOf(hook.source),
      };
    case "UserPromptSubmit":
      // notices of background tasks come this way too: nobody typed them
      return text(hook.prompt).startsWith("<task-notification>")
        ? { ...nothing, seen: [{ type: "worked" }] }
        : { ...nothing, seen: [{ type: "submitted", text: text(hook.prompt) }] };
    case "PreToolUse":
      return {
        ...nothing,
        tool: { use: text(hook.tool_use_id), key: keyOf(hook) },
      };
    case "PermissionRequest":
      return { ...nothing, seen: [{ type: "prompted", prompt: promptOf(hook) }], hold: true };
    case "PostToolUse":
      return { ...nothing, seen: [{ type: "answered", key: keyOf(hook) }] };
    case "PostToolBatch":
      return { ...nothing, seen: batchOf(hook.tool_calls) };
    case "Stop":
      if (subagent || busy(hook)) return nothing;
      return { ...nothing, seen: [{ type: "stopped", last_message: text(hook.last_assistant_message) }] };
    case "StopFailure":
      return {
        ...nothing,
        seen: [
          {
            type: "errored",
            kind: errorKind(text(hook.error), text(hook.last_assistant_message)),
            message: text(hook.last_assistant_message) || text(hook.error),
          },
        ],
      };
    default:
      return nothing;
  }
}

/**
 * PermissionRequest carries no tool use id, so a dialog is named by what it asks: the tool and its input. The same request
 * again, after the first was settled, is a new showing of the same name, which is what binding an answer to its action needs.
 */
function promptOf(hook: Json): Prompt {
  const tool = text(hook.tool_name);
  const input = hook.tool_input ?? {};
  const kind = tool === "AskUserQuestion" ? "question" : tool === "ExitPlanMode" ? "plan" : "approval";
  return {
    key: keyOf(hook),
    kind,
    tool,
    input,
    sha256: sha256(canonical({ tool, input })),
    questions: kind === "question" ? questionsOf(input) : [],
    choices: [],
  };
}

function keyOf(hook: Json): string {
  const input = isObject(hook.tool_input) ? withoutAnswers(hook.tool_input) : {};
  return `${text(hook.tool_name)}:${sha256(canonical(input)).slice(0, 16)}`;
}

/** The tool runs with the answers that we put into its input; the dialog was shown without them. */
function withoutAnswers({ answers: _, annotations: __, ...rest }: Json): Json {
  return rest;
}

function questionsOf(input: unknown): Question[] {
  const list = isObject(input) && Array.isArray(input.questions) ? input.questions : [];
  return list.filter(isObject).map((it) => ({
    question: text(it.question),
    header: text(it.header) || null,
    multi_select: it.multiSelect === true,
    options: (Array.isArray(it.options) ? it.options : [])
      .filter(isObject)
      .map((option) => ({ label: text(option.label), description: text(option.description) || null })),
  }));
}

function batchOf(calls: unknown): Seen[] {
  return (Array.isArray(calls) ? calls : [])
    .filter(isObject)
    .map((it) => ({ type: "answered", key: keyOf(it) }));
}

function busy(hook: Json): boolean {
  return [hook.background_tasks, hook.session_crons].some((it) => Array.isArray(it) && it.length > 0);
}

const KINDS: Record<string, string> = {
  rate_limit: "rate_limited",
  authentication_failed: "unauthorized",
  billing_error: "out_of_credits",
  server_error: "overloaded",
  overloaded: "overloaded",
};

function errorKind(error: string, message: string): string {
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|network|connect/i.test(message) && KINDS[error] === undefined)
    return "no_internet";
  return KINDS[error] ?? "other";
}

function primeOf(source: unknown): HookMeaning["prime"] {
  return source === "startup" || source === "resume" || source === "clear" || source === "compact"
    ? source
    : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
