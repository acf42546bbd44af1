/**
 * Screens of the real client, and how to get there. `screens.thorough.test.ts` visits all of them and compares what we
 * read from them; with OJ_SAVE_SCREENS=1 it also writes them to test/fixtures/claude-screens, for the unit tests.
 */
import fs from "node:fs";
import path from "node:path";
import type { BareInput } from "./bare.ts";
import type { Step } from "./model-api.ts";
import { bash, text, tool } from "./model-api.ts";
import { asks, parts, plans, store } from "./scripts.ts";

export const FIXTURES = path.join(import.meta.dirname, "../fixtures/claude-screens");

export interface Tour {
  script: Step[];
  /** How the client is started, if not in the usual way. */
  start?: Partial<BareInput>;
  /** The screens in order: the text that identifies each one, and what to do to leave it. */
  stops: { name: string; shows: RegExp; does?: (string | { paste: string })[] }[];
}

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n + 1)).join("\n");
const rows = (...keys: string[]) => keys;

export const TOURS: Record<string, Tour> = {
  bash: {
    script: [bash("touch made"), text("Fine.")],
    stops: [
      { name: "approval-bash", shows: /❯ 1\. Yes\n/, does: rows("Up") },
      { name: "approval-bash-on-no", shows: /❯ 4\. No\n/, does: rows("Tab") },
      {
        name: "approval-bash-reason-empty",
        shows: /❯ 4\. No, and tell Claude/,
        does: [{ paste: "Not in this folder, please" }],
      },
      { name: "approval-bash-reason", shows: /❯ 4\. No, Not in this folder/, does: rows("Enter") },
      { name: "idle", shows: /● Fine\.[\s\S]*done \d/ },
    ],
  },
  longBash: {
    script: [bash(`cat > x <<'E'\n${lines(70, (n) => `${n}. Yes ${n}`)}\nE`), text("Fine.")],
    stops: [{ name: "approval-bash-long", shows: /❯ 1\. Yes\n/ }],
  },
  write: {
    script: [tool("Write", { file_path: "made.txt", content: "1. Yes\n2. No\n" }), text("Fine.")],
    stops: [{ name: "approval-write", shows: /❯ 1\. Yes\n/ }],
  },
  longWrite: {
    script: [
      tool("Write", { file_path: "made.txt", content: lines(80, (n) => `${n}. line`) }),
      text("Fine."),
    ],
    stops: [{ name: "approval-write-long", shows: /❯ 1\. Yes\n/ }],
  },
  edit: {
    script: [
      bash("echo one > made.txt"),
      tool("Read", { file_path: "made.txt" }),
      tool("Edit", { file_path: "made.txt", old_string: "one", new_string: "two" }),
      text("Fine."),
    ],
    stops: [
      { name: "approval-bash-redirect", shows: /❯ 1\. Yes\n/, does: rows("1") },
      { name: "approval-edit", shows: /edit to made\.txt[\s\S]*❯ 1\. Yes\n/ },
    ],
  },
  reads: {
    script: [
      // the same call twice, since we can't know which of two calls is asked about first
      {
        tools: ["/etc/hostname", "/etc/hostname"].map((file_path) => ({
          name: "Read",
          input: { file_path },
        })),
      },
      text("Fine."),
    ],
    stops: [{ name: "approval-one-of-two", shows: /1 of 2[\s\S]*❯ 1\. Yes\n/ }],
  },
  fetch: {
    script: [tool("WebFetch", { url: "http://127.0.0.1:9/page", prompt: "What is there?" }), text("Fine.")],
    stops: [
      { name: "approval-fetch", shows: /❯ 1\. Yes\n/, does: rows("3") },
      { name: "interrupted", shows: /What should Claude do instead/ },
    ],
  },
  one: {
    script: asks(store),
    stops: [
      { name: "question-one", shows: /❯ 1\. SQLite/, does: rows("3") },
      { name: "question-one-own-empty", shows: /❯ 3\. Type something/, does: [{ paste: "DuckDB, please" }] },
      { name: "question-one-own", shows: /❯ 3\. DuckDB, please/ },
    ],
  },
  multi: {
    script: asks(parts),
    stops: [
      { name: "question-multi", shows: /❯ 1\. \[ \] Auth/, does: rows("1") },
      { name: "question-multi-ticked", shows: /❯ 1\. \[✔\] Auth/, does: rows("Down", "Down", "Down") },
      {
        name: "question-multi-own-empty",
        shows: /❯ 4\. \[ \] Type something/,
        does: [{ paste: "also PDF" }],
      },
      { name: "question-multi-own", shows: /❯ 4\. \[✔\] also PDF/, does: rows("Tab") },
      { name: "question-multi-submit", shows: /❯ {4}Submit/, does: rows("Enter") },
      { name: "question-multi-review", shows: /❯ 1\. Submit answers/ },
    ],
  },
  two: {
    script: asks(store, parts),
    stops: [
      { name: "question-two-first", shows: /❯ 1\. SQLite/, does: rows("2") },
      { name: "question-two-second", shows: /❯ 1\. \[ \] Auth/, does: rows("1", "3", "Right") },
      { name: "question-two-review", shows: /❯ 1\. Submit answers/, does: rows("1") },
    ],
  },
  plan: {
    script: plans("x"),
    start: { script: "claude --permission-mode plan" },
    stops: [
      { name: "plan", shows: /❯ 1\. Yes, clear context/, does: rows("4") },
      {
        name: "plan-words-empty",
        shows: /❯ 4\. Tell Claude what to change/,
        does: [{ paste: "Add some tests" }],
      },
      { name: "plan-words", shows: /❯ 4\. Add some tests/, does: rows("Enter") },
      { name: "idle-in-plan-mode", shows: /● So be it\.[\s\S]*done \d/ },
    ],
  },
  working: {
    script: [{ delayMs: 30_000, next: text("Late.") }],
    stops: [{ name: "working", shows: /…/ }],
  },
  behind: {
    script: [
      tool("Bash", { command: "sleep 600", description: "sleeps", run_in_background: true }),
      text("Begun."),
    ],
    stops: [{ name: "working-behind", shows: /1 shell still running/ }],
  },
  login: {
    script: [text("Fine.")],
    start: { prompt: null },
    stops: [
      { name: "idle-at-start", shows: /\? for shortcuts/, does: [{ paste: "/login" }, "Enter"] },
      { name: "menu-login", shows: /Select login method/ },
    ],
  },
  error: {
    script: [{ status: 429, next: text("Fine.") }],
    stops: [{ name: "idle-after-error", shows: /API Error: Request rejected/ }],
  },
  trust: {
    script: [text("Fine.")],
    start: { trusted: false },
    stops: [
      { name: "trust", shows: /❯ No, exit/, does: rows("Down") },
      { name: "trust-on-yes", shows: /❯ Yes, I trust/ },
    ],
  },
  key: {
    script: [text("Fine.")],
    start: { env: { ANTHROPIC_API_KEY: `sk-ant-${"x".repeat(40)}`, ANTHROPIC_AUTH_TOKEN: "" } },
    stops: [{ name: "menu-api-key", shows: /❯ No \(recommended\)/ }],
  },
  bypass: {
    script: [text("Fine.")],
    start: { script: "claude --dangerously-skip-permissions" },
    stops: [{ name: "menu-bypass", shows: /❯ No, exit/ }],
  },
  onboarding: {
    script: [text("Fine.")],
    start: { onboarded: false, trusted: false },
    stops: [
      { name: "menu-theme", shows: /❯ ✔ Dark mode/, does: rows("Down") },
      { name: "menu-theme-moved", shows: /❯ {3}Light mode/, does: rows("Enter") },
      { name: "menu-page", shows: /Press Enter to continue/ },
    ],
  },
};

/** The screen without what differs between runs: paths, the picture, times. */
export function sanitised(screen: string, folder: string): string {
  return `${screen
    .replaceAll(folder, "/home/ana")
    .replace(/-tmp-oj-bare-\w+-/g, "-home-ana-")
    .replace(/^[ ·▐▛█▜▌▝▘▀▄▟▙·]{11}(?=Claude Code v|\S.* · API Usage Billing|\/home\/ana)/gm, " ".repeat(11))
    .replace(/^✻ \S+ for \S+ · done .*$/gm, "✻ Worked for 1s · done 3:14 PM")
    .replace(/^. \S+… \(.*\)$/gm, "✽ Hatching… (1s · ↓ 12 tokens)")
    .replace(/^. \S+…$/gm, "✽ Hatching…")
    .replace(/[\w-]+(?=\.md$)/gm, "a-plan-with-a-name")
    .trimEnd()}\n`;
}

export function fixture(name: string): string {
  return fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");
}
