/** Claude Code, and the scripted agent, which speaks the same hooks: how it starts, what its hooks mean, how it is answered. */
import { isOtherUser } from "../../core/agent-kind.ts";
import type { Prompt, Reply } from "../../core/agent-types.ts";
import { configFolder } from "../../core/hook-settings.ts";
import type { AgentClient, Keeping, KeepingPlace, Launch, LaunchInput } from "../client.ts";
import { readHook } from "./hooks.ts";
import { DENIED, nextKey } from "./keys.ts";
import { settingsOf } from "./launch-settings.ts";
import { newsIn } from "./news.ts";
import { notesTo } from "./notes.ts";
import { composerOn, dialogOn, lookAt } from "./screen.ts";
import { isOffered, isShown, textOf } from "./shown.ts";
import { readTranscripts } from "./transcript.ts";
import { guarded } from "./words.ts";

export function claudeCode(kind: "claude-code" | "scripted"): AgentClient {
  return {
    launch: (input) => launch(input, kind),
    read: readHook,
    reply: replyBody,
    look: lookAt,
    keys: nextKey,
    shown: shownDialog,
    shows(prompt, screen) {
      const dialog = dialogOn(screen);
      if (!dialog) return false;
      return prompt.choices.length > 0 ? isOffered(prompt, dialog) : isShown(prompt, dialog, "");
    },
    kept: readTranscripts,
    news: newsIn,
    keeps: (place, id) => keeping(kind, place, id),
    amends: (screen) => /\bTab to amend\b/i.test(screen),
    subagentsOf: (transcript) => `${transcript.replace(/\.jsonl$/, "")}/subagents`,
    transcript,
    draft: (screen) => composerOn(screen)?.text ?? "",
    // killed in its first moments, a client leaves a file without a word, and refuses to go on with it
    resumes: (file) => kind === "scripted" || file.includes('"type":"user"'),
    guard: guarded,
  };
}

/** The runbook's line runs in a shell of its own that becomes the client; what we add are arguments, never text of that line. */
function launch(input: LaunchInput, kind: "claude-code" | "scripted"): Launch {
  const file = `${input.folder}/settings.json`;
  const wanted = settingsOf(input);
  // our folders are closed to others, and there is no secret in it
  const settings = isOtherUser(input.script) ? JSON.stringify(wanted) : file;
  const session = input.resume === null ? ["--session-id", input.conversation] : ["--resume", input.resume];
  const message = input.message === null ? [] : [guarded(input.message)];
  const mode =
    kind === "claude-code" && !/--permission-mode|--dangerously-skip-permissions/.test(input.script)
      ? ["--permission-mode", "default"]
      : [];
  return {
    argv: ["bash", "-c", asExec(input.script), "oj", "--settings", settings, ...session, ...mode, ...message],
    env: { ...input.values },
    files: { [file]: `${JSON.stringify(wanted, null, 2)}\n` },
    saysMessage: message.length > 0,
  };
}

/** The line is one command (see `core/agent-kind.ts`), after what un-exports its values. `exec`: the client is the session's process. */
function asExec(script: string): string {
  const [, prologue = "", line = ""] = /^(export -n [^;\n]*; )?([\s\S]*)$/.exec(script) ?? [];
  const command = line.trim().replace(/^exec\s+/, "");
  const setter = /^[A-Za-z_]\w*=/.test(command) ? "env " : ""; // `exec A=1 claude` looks for a program called "A=1"
  return `${prologue}exec ${setter}${command} "$@"`;
}

/** The client names a project's folder after its path; where that is very long, a hash stands for the rest. */
function keeping(
  kind: "claude-code" | "scripted",
  { env, home, cwd, folder }: KeepingPlace,
  id: string,
): Keeping {
  if (kind === "scripted") {
    const own = env.OJ_AGENT_HOME || folder;
    return { file: `${own}/conversations/${id}.jsonl`, among: null, registry: `${own}/sessions` };
  }
  const config = configFolder(env, home);
  const projects = `${config}/projects`;
  const name = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  return { file: `${projects}/${name}/${id}.jsonl`, among: projects, registry: `${config}/sessions` };
}

/** The composer is between the last two rules. */
function transcript(screen: string): string {
  const lines = screen.split("\n");
  const rules = lines.flatMap((line, n) => (/^\s*[─▔]{8,}/.test(line) ? [n] : []));
  return lines.slice(0, rules.at(-2) ?? lines.length).join("\n");
}

/** Options that only open a line to write in are left out: a key alone does not answer with them. */
function shownDialog(screen: string): ReturnType<AgentClient["shown"]> {
  const dialog = dialogOn(screen);
  if (!dialog || dialog.amending || dialog.clipped) return null;
  const from = dialog.options.findIndex((it) => it.selected);
  const choices = dialog.options.flatMap(({ number, label }, n) =>
    /^(Type something|Chat about|Tell Claude)/i.test(label)
      ? []
      : [{ label, keys: number === null ? keysTo(n - from) : String(number) }],
  );
  const text = textOf(dialog);
  const lines = text.split("\n");
  const asks = lines.findLast((line) => line.endsWith("?")) ?? lines[0] ?? "";
  const trust = dialog.kind === "trust" ? (choices.find((it) => /^Yes/.test(it.label)) ?? null) : null;
  return choices.length === 0 ? null : { text, asks, choices, trust };
}

function keysTo(rows: number): string {
  const moves = Array.from({ length: Math.abs(rows) }, () => (rows < 0 ? "Up" : "Down"));
  return [...moves, "Enter"].join(" ");
}

/** Our answer as the hook's output. Clearing the context has no such form: only the dialog offers it. */
function replyBody(prompt: Prompt, reply: Reply): object | null {
  const decision = decisionOf(prompt, reply);
  return decision && { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

function decisionOf(prompt: Prompt, reply: Reply): object | null {
  const input = typeof prompt.input === "object" && prompt.input !== null ? prompt.input : {};
  switch (reply.type) {
    case "approve":
      return { behavior: "allow", updatedInput: input };
    case "deny":
      return { behavior: "deny", message: reply.message ?? DENIED };
    case "answers": {
      const answers = Object.fromEntries(
        reply.answers.map((it) => [it.question, [...it.labels, ...(it.text ? [it.text] : [])].join(", ")]),
      );
      const noted = reply.answers.flatMap((it) => {
        const notes = notesTo(it, reply);
        return notes === null ? [] : [[it.question, { notes }] as const];
      });
      const annotations = noted.length > 0 ? { annotations: Object.fromEntries(noted) } : {};
      return { behavior: "allow", updatedInput: { ...input, answers, ...annotations } };
    }
    case "accept":
      if (reply.mode === "clear") return null;
      return {
        behavior: "allow",
        updatedInput: input,
        ...(reply.mode === "auto"
          ? { updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }] }
          : {}),
      };
    case "revise":
      return { behavior: "deny", message: reply.message };
    case "keys":
      return null;
  }
}
