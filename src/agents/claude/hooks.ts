/** What the JSON of a Claude Code hook means. Everything in it is hostile until it is read here. */
import type { CallEnd } from "../../core/agent/dialog.ts";
import type { Prompt } from "../../core/model/agent-types.ts";
import type { Question } from "../../core/model/decision-types.ts";
import { canonical, sha256 } from "../../core/text/hash.ts";
import type { HookMeaning, Seen } from "../client.ts";
import { unguarded } from "../guarded-words.ts";
import { atWork, checkCall, ended, hashOf, malformed, primeOf, reportIn } from "../hook-input.ts";
import { DENIED, refusing, telling } from "../hook-output.ts";
import type { Json } from "../json-value.ts";
import { isObject, text } from "../json-value.ts";

/** Refuses what makes no sense. Ignores events that we don't know: the next version of the client may have more. */
export function readHook(given: unknown): HookMeaning {
  const hook = reportIn(given);
  // a client that ends or has only just started may have no transcript to resume
  const begun = hook.hook_event_name !== "SessionEnd" && hook.source !== "startup";
  const id = text(hook.session_id);
  const conversation = begun && id !== "" ? { id, transcript: text(hook.transcript_path) || null } : null;
  const subagent = text(hook.agent_id) !== "";
  const nothing = atWork(conversation, subagent);
  switch (hook.hook_event_name) {
    case "SessionStart":
      return {
        ...nothing,
        turn: "ready",
        prime: primeOf(hook.source),
        tell: telling("SessionStart"),
        hears: hook.source === "clear", // otherwise it was started with everything it has to be told
      };
    case "UserPromptSubmit":
      // notices of background tasks arrive this way too, but nobody typed them
      return text(hook.prompt).startsWith("<task-notification>")
        ? { ...nothing, seen: [{ type: "worked" }] }
        : { ...nothing, seen: [{ type: "submitted", text: unguarded(text(hook.prompt)) }] };
    case "PreToolUse":
      if (text(hook.tool_use_id) === "") throw malformed("PreToolUse has no tool_use_id");
      checkCall(hook);
      return {
        ...nothing,
        tool: { use: text(hook.tool_use_id), key: keyOf(hook), refuse: refusing },
      };
    case "PermissionRequest":
      checkCall(hook);
      return { ...nothing, seen: [{ type: "prompted", prompt: promptOf(hook) }], staysOpen: true };
    case "PostToolUse":
      return {
        ...nothing,
        seen: endOf(hook, { ran: true, ...ranIn(hook), ...answersIn(hook) }),
        tell: telling("PostToolUse"),
        hears: !subagent,
      };
    case "PostToolBatch":
      // a tool call that failed has no PostToolUse
      return {
        ...nothing,
        seen: batchOf(hook.tool_calls),
        tell: telling("PostToolBatch"),
        hears: !subagent,
        reads: !subagent,
      };
    case "Stop":
      if (subagent || busy(hook)) return { ...nothing, turn: subagent ? null : "resting" };
      return { ...nothing, seen: [{ type: "stopped", last_message: text(hook.last_assistant_message) }] };
    case "StopFailure":
      if (subagent) return { ...nothing, turn: null }; // the agent itself goes on, with what came of it
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
 * PermissionRequest carries no tool use id, so a dialog is first named by what it asks: the tool and its input, exactly
 * as they were in the PreToolUse before it. The daemon matches the two and names the dialog by the call's id.
 */
export function promptOf(hook: Json): Prompt {
  const tool = text(hook.tool_name);
  const input = hook.tool_input;
  const questions = tool === "AskUserQuestion" ? questionsOf(input) : [];
  const kind = questions.length > 0 ? "question" : tool === "ExitPlanMode" ? "plan" : "approval";
  return {
    key: keyOf(hook),
    kind,
    tool,
    input,
    sha256: hashOf(hook),
    questions,
    choices: [],
  };
}

/** What ran, as far as it is told. The input of a plan is empty once it has run: its text is in what came of it. */
function ranIn(hook: Json): Pick<CallEnd, "ran_sha256"> {
  if (hook.tool_name !== "ExitPlanMode") return { ran_sha256: hashOf(hook) };
  const { plan, filePath } = isObject(hook.tool_response) ? hook.tool_response : {};
  if (typeof plan !== "string" || typeof filePath !== "string") return {};
  return { ran_sha256: hashOf({ ...hook, tool_input: { plan, planFilePath: filePath } }) };
}

/** The name of a call, as its hooks would give it. */
export function callName(tool: string, input: unknown): string {
  return keyOf({ tool_name: tool, tool_input: input });
}

export function keyOf(hook: Json): string {
  const input = isObject(hook.tool_input) ? withoutAnswers(hook.tool_input) : {};
  return `${text(hook.tool_name)}:${sha256(canonical(input)).slice(0, 16)}`;
}

/** The tool runs with the answers that we put into its input, but the dialog was shown without them. */
function withoutAnswers({ answers: _, annotations: __, ...rest }: Json): Json {
  return rest;
}

/** Returns none at all if one of them can't be read. The call is then asked about as it is. */
function questionsOf(input: unknown): Question[] {
  const list = isObject(input) && Array.isArray(input.questions) ? input.questions : [];
  const questions = list.map((it): Question | null => {
    if (!isObject(it) || text(it.question) === "" || !Array.isArray(it.options)) return null;
    const options = it.options.map((option) => ({
      label: isObject(option) ? text(option.label) : "",
      description: isObject(option) ? text(option.description) || null : null,
    }));
    if (options.length === 0 || options.some(({ label }) => label === "")) return null;
    return {
      question: text(it.question),
      header: text(it.header) || null,
      multi_select: it.multiSelect === true,
      options,
    };
  });
  return questions.some((it) => it === null) ? [] : (questions as Question[]);
}

function batchOf(calls: unknown): Seen[] {
  return (Array.isArray(calls) ? calls : [])
    .filter(isObject)
    .flatMap((it) => endOf(it, refusalIn(text(it.tool_response))));
}

/**
 * What the result of a call that failed says about who refused it. A hook's refusal has words of its own. Without the
 * person's words, a call that was interrupted while it ran has the same result as one that was refused.
 */
export function refusalIn(result: string): CallEnd {
  if (!/^(The user doesn't want to |\[Request interrupted by user)/.test(result))
    return result === "" || result === DENIED ? {} : { result };
  const [, words] = / the user said:\n([\s\S]*)/.exec(result) ?? [];
  return words === undefined ? { refused: true } : { refused: true, rejected: true, result: words };
}

/**
 * A call has run or was refused. Its input no longer identifies it (a plan's is empty after it ran, and a batch has
 * what the model wrote, not what was shown), so the id counts. The name is for a dialog whose call we did not see
 * begin.
 */
function endOf(call: Json, end: CallEnd = {}): Seen[] {
  return ended(call, keyOf(call), end);
}

export function answersIn({ tool_response }: Json): CallEnd {
  if (!isObject(tool_response) || !isObject(tool_response.answers)) return {};
  const answers = Object.entries(tool_response.answers).map(([question, it]) => [question, text(it)]);
  return { answers: Object.fromEntries(answers) };
}

export function busy(hook: Json): boolean {
  return [hook.background_tasks, hook.session_crons].some((it) => Array.isArray(it) && it.length > 0);
}

const KINDS: Record<string, string> = {
  rate_limit: "rate_limited",
  authentication_failed: "unauthorized",
  billing_error: "out_of_credits",
  server_error: "overloaded",
  overloaded: "overloaded",
};

/** The client reports a failed connection as a `server_error`; only the message shows what it was. */
export function errorKind(error: string, message: string): string {
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/.test(message))
    return "no_internet";
  return KINDS[error] ?? "other";
}
