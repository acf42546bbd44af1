/**
 * The one-line title of a decision about an agent, for lists.
 * Its subject comes first, because lines are cut at the end.
 */
import type { Agent, Prompt } from "../model/agent-types.ts";
import { questionIn } from "./asks.ts";

const LONGEST = 200;

/**
 * `Stopped: Shall I mend the test as well?`. The question that the message
 * leaves open is what the agent waits for; otherwise the beginning says the most.
 */
export function stoppedTitle(lastMessage: string): string {
  const lines = linesOf(lastMessage);
  const last = lines.at(-1) ?? "";
  const said = last.endsWith("?") ? last : (questionIn(lastMessage) ?? lines[0] ?? "");
  return said === "" ? "Stopped without a word" : titled("Stopped", said);
}

/** `Gate failed (exit code 1): npm test`. */
export function gateTitle(run: string, code: string): string {
  return titled(`Gate failed (${code})`, firstOf(run).text);
}

/**
 * `Bash: git push`, `Bash (3 lines): npm ci`, `Write: src/cart.js`, `apply_patch (2 files): a.js, b.js`,
 * `jira › move_issue: AB-1`,
 * `2 questions: Which API?`, `Plan: Search for the shop`.
 */
export function promptTitle(prompt: Prompt, cwd: Agent["cwd"]): string {
  const { kind, tool, input, questions, choices } = prompt;
  const given = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  if (choices.length > 0) return titled("", textAt(given, "prompt") || tool);
  const [question] = questions;
  if (question) return titled(questions.length > 1 ? `${questions.length} questions` : "", question.question);
  if (kind === "plan") return titled("Plan", firstOf(textAt(given, "plan")).text.replace(/^[#*\s]+/, ""));
  const name = toolName(tool);
  const files = tool === PATCH_TOOL ? patched(textAt(given, "command"), cwd) : [];
  if (files.length > 0)
    return titled(files.length > 1 ? `${name} (${files.length} files)` : name, files.join(", "));
  const { text, lines } = firstOf(subjectOf(given, cwd));
  return titled(lines > 1 ? `${name} (${lines} lines)` : name, text);
}

/** `mcp__jira__move_issue` → `jira › move_issue`: the tool of a server, without the client's own marks. */
function toolName(tool: string): string {
  const [, server, own] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  return server === undefined ? tool : `${server} › ${own}`;
}

/** `label: text` on one line, or just the one that isn't empty. */
export function titled(label: string, text: string): string {
  const parts = [label, text].map((it) => it.replace(/\s+/g, " ").trim());
  const line = parts.filter((it) => it !== "").join(": ");
  const letters = [...line.slice(0, LONGEST * 2)];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : line;
}

/** Its command is a patch; the same text as the command of a shell is another thing. */
const PATCH_TOOL = "apply_patch";

/** The files that a patch names, each once. Deleted ones are marked, since the title may be all that is read. */
function patched(patch: string, cwd: string): string[] {
  const named = [...patch.matchAll(/^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm)];
  const files = named.map(([, how, file = ""]) => {
    const path = file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file.trim();
    return how === "Delete File" ? `${path} (deleted)` : path;
  });
  return [...new Set(files)];
}

/** What tells one use of a tool from another, most telling first. */
const SUBJECTS = ["command", "file_path", "notebook_path", "path", "url", "query", "pattern", "prompt"];

/** The agent's own folder says nothing, so it is left out where a path or a command begins with it. */
function subjectOf(input: Record<string, unknown>, cwd: string): string {
  const key = SUBJECTS.find((it) => textAt(input, it) !== "");
  const subject = key
    ? textAt(input, key)
    : (Object.values(input).find((it): it is string => typeof it === "string") ?? "");
  const [there, here] = [`cd ${cwd} && `, `${cwd}/`];
  if (subject.startsWith(there)) return subject.slice(there.length);
  return subject.startsWith(here) ? subject.slice(here.length) : subject;
}

function textAt(input: Record<string, unknown>, key: string): string {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === "string" ? value.trim() : "";
}

function firstOf(text: string): { text: string; lines: number } {
  const lines = linesOf(text);
  return { text: lines[0] ?? "", lines: lines.length };
}

function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((it) => it.trim())
    .filter((it) => it !== "");
}
