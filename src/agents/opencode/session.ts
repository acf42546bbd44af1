/** What our plugin reports about a session of opencode that oj did not start, and what can be told to the session. */
import type { Prompt, Reply } from "../../core/model/agent-types.ts";
import type { Question } from "../../core/model/decision-types.ts";
import { hashOf, malformed, turnOf } from "../hook-input.ts";
import { DENIED } from "../hook-output.ts";
import type { Json } from "../json-value.ts";
import { isObject, text } from "../json-value.ts";
import type { SessionDoor, SessionNews } from "../session-door.ts";
import { MAX_MESSAGE, sessionIn } from "../session-door.ts";

export const opencodeSession: SessionDoor = {
  name: "opencode",
  hidesDialogs: false,
  staysFree: true,
  takesChanges: false,
  read: readReport,
  reply: (_, reply) => {
    const body = bodyOf(reply);
    return body && { reply: body };
  },
  fileChange: () => null, // its own diff is part of what it asks
  saidBefore: () => null, // the plugin says so itself
  block: (prompt) => ({ prompt }),
  remark: (remark) => ({ remark }),
};

function readReport(report: unknown): SessionNews | null {
  const about = sessionIn(report);
  if (about === null) return null;
  const { it, session, cwd } = about;
  const what = whatOf(it);
  return {
    session,
    cwd,
    what,
    tool: callIn(it),
    dialog: what === "asked" ? dialogIn(it) : null,
    last_message: text(it.last_assistant_message).slice(-MAX_MESSAGE),
    transcript: null,
    isSubagents: false, // our plugin reports what the session itself does
    isBusy: false,
    tell: what === "stopped" ? (prompt) => ({ prompt }) : (context) => ({ context }),
  };
}

function whatOf(report: Json): SessionNews["what"] {
  if (report.hook_event_name === "SessionEnd") return "ended";
  const what = turnOf(report);
  return what === "prompted" && report.woken === true ? "woken" : what;
}

/** The call that it is about, by its own id. */
function callIn(report: Json): string {
  const asked = isObject(report.permission) ? report.permission : report.question;
  const tool = isObject(asked) && isObject(asked.tool) ? asked.tool : {};
  return text(report.tool_use_id) || text(tool.callID);
}

function dialogIn({ permission, question }: Json): Prompt {
  if (isObject(permission)) return permissionPrompt(permission);
  if (isObject(question)) return questionPrompt(question);
  throw malformed("a request has neither a permission nor a question");
}

/** A command as such; everything else with all that opencode says about it, its own diff of a file among that. */
function permissionPrompt({ id, permission, patterns, metadata }: Json): Prompt {
  const about = isObject(metadata) ? metadata : {};
  const isCommand = permission === "bash" && text(about.command) !== "";
  const tool = isCommand ? "Bash" : text(permission) || "permission";
  const { filepath, ...others } = about;
  const input = isCommand
    ? about
    : { ...(text(filepath) === "" ? { patterns } : { file_path: filepath }), ...others };
  return { ...asked(id, tool, input), kind: "approval", questions: [] };
}

function questionPrompt({ id, questions }: Json): Prompt {
  const all = (Array.isArray(questions) ? questions : []).map(questionOf);
  return { ...asked(id, "question", { questions }), kind: "question", questions: all };
}

function questionOf(given: unknown): Question {
  const it = isObject(given) ? given : {};
  const options = (Array.isArray(it.options) ? it.options : []).map((one) => ({
    label: isObject(one) ? text(one.label) : "",
    description: isObject(one) ? text(one.description) || null : null,
  }));
  if (text(it.question) === "" || options.length === 0 || options.some(({ label }) => label === ""))
    throw malformed("a question has no text, or an option has none");
  const header = text(it.header) || null;
  const closed = it.custom === false ? { closed: true as const } : {};
  return { question: text(it.question), header, multi_select: it.multiple === true, options, ...closed };
}

function asked(id: unknown, tool: string, input: unknown) {
  if (text(id) === "") throw malformed("a request has no id");
  const sha256 = hashOf({ tool_name: tool, tool_input: input });
  return { key: text(id), tool, input, sha256, choices: [] };
}

/** Its reply has no place for a changed call, nor for words with a Yes: those follow through the queue. */
function bodyOf(reply: Reply): object | null {
  switch (reply.type) {
    case "approve":
      return reply.edit ? null : { reply: "once" };
    case "deny":
      return { reply: "reject", message: reply.message ?? DENIED }; // without a word, a No ends the whole turn
    case "answers":
      return { answers: answersIn(reply) };
    default:
      return null;
  }
}

/** Own words and notes are one more choice; what was said about all of it goes with the first. */
function answersIn({ answers, message }: Extract<Reply, { type: "answers" }>): string[][] {
  const isUsed = answers.some((it) => it.text === message || it.note === message);
  return answers.map(({ labels, text: own, note }, n) =>
    [...labels, own, note, n === 0 && !isUsed ? message : null].filter((it) => typeof it === "string"),
  );
}
