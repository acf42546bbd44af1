/**
 * Nothing is approved unseen: every source at every size, in a real terminal. Only what `tmux capture-pane` shows
 * counts as seen, and only what the daemon has counts as answered.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also, few } from "../../everything.ts";
import type { Cast, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { call } from "../support/http.ts";
import { undoAfter } from "../support/settings.ts";
import type { Terminal } from "../support/terminal.ts";
import { openTerminal } from "../support/terminal.ts";

const SIZES = [
  [80, 24],
  [60, 17],
  [120, 40],
  [200, 50],
] as const;

/** Lines that can be told apart, with a token in each. */
const lines = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}.`);
const text = (name: string, count: number, before = "") =>
  lines(name, count)
    .map((it) => `${before}${it}`)
    .join("\n");

interface Case extends Partial<Cast> {
  source: string;
  /** The option that lets somebody act, as it is labelled. */
  acts: string;
  /** What has to be on the screen before it is taken. */
  tokens: string[];
}

const CASES: Record<string, Case> = {
  idle: {
    source: "idle",
    acts: "Done",
    scenario: { turns: [[{ say: text("said", 30) }]] },
    tokens: lines("said", 30),
  },
  dead: {
    source: "dead",
    acts: "Skip",
    scenario: { turns: [[{ say: text("last", 3) }, { crash: 7 }]] },
    tokens: lines("last", 3),
  },
  error: {
    source: "error",
    acts: "Skip",
    scenario: { turns: [[{ error: "rate_limit", message: "too-many-requests." }]] },
    tokens: ["too-many-requests."],
  },
  gate: {
    source: "gate",
    acts: "Skip",
    scenario: { turns: [[{ say: "Done?" }]] },
    more: `on_idle = { action = "gate", run = "cat report.txt; exit 1", attempts = 1 }`,
    tokens: lines("FAIL", 12),
  },
  approval: {
    source: "approval",
    acts: "Approve",
    scenario: { turns: [[{ tool: "Bash", input: { command: text("cmd", 60, "echo ") } }]] },
    tokens: lines("cmd", 60),
  },
  question: {
    source: "question",
    acts: "Oak",
    scenario: { turns: [[{ ask: { question: text("asked", 25), options: ["Oak", "Elm"] } }]] },
    tokens: lines("asked", 25),
  },
  plan: {
    source: "plan",
    acts: "Accept (clear context)",
    scenario: { turns: [[{ plan: `# Plan\n\n${text("part", 50, "- ")}` }]] },
    tokens: lines("part", 50),
  },
  step: { source: "step", acts: "Go", tokens: lines("context", 30) },
  request: { source: "request", acts: "Yes", tokens: lines("why", 40) },
};

const RUNBOOK = `
command "release" { run = { job = "release" } }
job "release" {
  step "confirm" {
    decision {
      prompt = "Release?"
      text   = "${lines("context", 30).join("\\n")}"
      option "go" { label = "Go" }
      option "stop" { label = "Stop" action = "cancel" }
    }
  }
}`;

/** All of them, pending: the id of each. */
async function everyCase(): Promise<{ stage: Stage; ids: Map<string, string> }> {
  const cast = Object.entries(CASES).flatMap(([name, { scenario, more }]): [string, Cast][] =>
    scenario === undefined ? [] : [[name, { scenario, ...(more ? { more } : {}) }]],
  );
  const files = { "report.txt": `${text("FAIL", 12)}\n` };
  const stage = await agentStage(Object.fromEntries(cast), { ...undoAfter(600), files, runbook: RUNBOOK });
  const ids = new Map<string, string>();
  for (const [name] of cast) ids.set(name, (await (await stage.job(name)).asked(CASES[name]?.source)).id);
  const options = [{ label: "Yes" }, { label: "No" }];
  const asked = { project: "shop", cwd: stage.dir, prompt: "Ship it?", options, context: text("why", 40) };
  const reply = await call(stage, "POST", "/decisions", { body: { ...asked, as: "bot" } });
  ids.set("request", reply.json<{ id: string }>().id);
  const started = { cwd: stage.dir, project: "shop", command: "release", argv: [], named: {} };
  await call(stage, "POST", "/run", { body: { ...started, env: stage.env } });
  const isStep = (it: { type: string; source?: unknown }) =>
    it.type === "decision:created" && it.source === "step";
  ids.set("step", (await stage.until(() => stage.events.find(isStep), "the step's question")).id);
  return { stage, ids };
}

const isHeld = async (stage: Stage, id: string) =>
  (await call(stage, "GET", `/decisions/${id}`)).json<{ held: object | null }>().held !== null;

/** Chooses and sends until it is taken, a screen further each time; returns what was on the screen by then. */
async function approve(stage: Stage, terminal: Terminal, id: string, label: string): Promise<string> {
  let seen = "";
  for (let screens = 0; screens < 60; screens += 1) {
    if (screens > 0) await terminal.press("Escape"); // the words of the last refusal go
    const screen = await terminal.rests(
      (now) => !MISSING.test(now) && numberOf(now, label) !== undefined,
      `${label} of ${id} in sight`,
    );
    seen += screen;
    const number = numberOf(screen, label) ?? "";
    let [after, pressed_at] = ["", 0];
    const isTaken = await stage
      .until(async () => {
        // on a busy machine an Esc and the next key may arrive together, and count as one with Alt
        if (Date.now() - pressed_at > AGAIN_MS) {
          await terminal.press(number, "Enter");
          pressed_at = Date.now();
        }
        if (await isHeld(stage, id)) return "yes";
        after = await terminal.screen();
        return MISSING.test(after) ? "no" : null;
      }, `an answer to ${id}, or what is missing`)
      .catch((error: Error) => {
        throw new Error(`${error.message}:\n${screen}\nand after ${number} and Enter:\n${after}`);
      });
    if (isTaken === "yes") return seen;
    seen += after; // with what the last J brought, if it was slow
    await terminal.press("J");
  }
  return assert.fail(`${id} is never taken:\n${await terminal.screen()}`);
}

/** The key of the option with that label, where it is in sight. */
function numberOf(screen: string, label: string): string | undefined {
  const option = screen.split("\n").find((it) => new RegExp(`\\d +(● +)?${escaped(label)}`).test(it));
  return /(\d) +(?:● +)?\S/.exec(option?.replace(/^.*│/, "") ?? "")?.[1];
}

const AGAIN_MS = 10_000;

/** The line above the keys says what is missing. */
const MISSING = /^\d+ more screens?: J/m;

function escaped(words: string): string {
  return words.replace(/[()]/g, "\\$&");
}

describe("in a real terminal, of every source", () => {
  it("the exact action is on the screen before its approval is taken, at every size", async () => {
    const { stage, ids } = await everyCase();
    for (const [columns, rows] of few(SIZES, 1)) {
      const terminal = await openTerminal(stage, ["decision", "watch"], { columns, rows });
      await terminal.shows(/9 waiting for you/);
      for (const [name, { acts, tokens }] of Object.entries(CASES)) {
        const id = ids.get(name) ?? assert.fail(name);
        await terminal.press("/");
        await terminal.type(id);
        await terminal.press("Enter");
        await terminal.shows(/1 of 9 waiting[\s\S]*1 +\S/);
        const seen = await approve(stage, terminal, id, acts);
        for (const token of tokens)
          assert.ok(seen.includes(token), `${token} of ${name} was seen at ${columns}x${rows}:\n${seen}`);
        await terminal.shows(/u take it back/);
        await terminal.press("u");
        await terminal.shows(/was taken back/);
        await terminal.press("a");
        await terminal.shows(/^ oj +9 waiting for you/m);
      }
      await terminal.press("q");
      await stage.until(terminal.isOver, "the end of the inbox");
      await terminal.close();
    }
  });

  also("nothing is taken in a window that is too small for the options", async () => {
    const { stage, ids } = await everyCase();
    const terminal = await openTerminal(stage, ["decision", "watch"], { columns: 44, rows: 9 });
    await terminal.shows(/This window is too small[\s\S]*It takes \d+x\d+/);
    for (const key of ["1", "Enter", "j", "1", "Enter", "2", "Enter"]) await terminal.press(key);
    await terminal.resize(80, 24);
    await terminal.shows(/9 waiting for you[\s\S]*1 +\S/);
    for (const id of ids.values()) assert.equal(await isHeld(stage, id), false, id);
  });
});
