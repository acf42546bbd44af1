/**
 * Every card at every size, read from the terminal as a person reads it: what is asked, then the exact thing it is
 * about, then why, the options, and who asks.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { few } from "../../everything.ts";
import type { Cast, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { call } from "../support/http.ts";
import { openShell, openTerminal } from "../support/terminal.ts";

const SIZES = [
  [80, 24],
  [60, 20],
  [120, 40],
  [200, 50],
] as const;

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${at + 1}. ${word} ${at + 1}`).join("\n");
const PLAN = `# Search for the shop\n\n${numbered(40, "Build part")}`;
const COMMAND = `npm ci && npm test -- --reporter "${"dot ".repeat(30)}" | tee log.txt\ngit push "$REMOTE" main --force`;
const ERROR = '{"type":"error","error":{"type":"rate_limit_error","message":"Too many requests"}}';
const STORE = { question: "Which store shall it be?", header: "Store", options: ["Postgres", "SQLite"] };
const PARTS = { question: "Which parts come first?", multiSelect: true, options: ["Auth", "Search"] };

interface Expected extends Partial<Cast> {
  source: string;
  title: string;
  /** What has to be seen before the options, in this order, each once. */
  exact: string[];
  /** What has to be seen below that, and still before the options. */
  why?: string[];
}

const tool = (name: string, input: object, say?: string): Cast => ({
  scenario: { turns: [[...(say ? [{ say }] : []), { tool: name, input }]] },
});

const CARDS: Record<string, Expected> = {
  idle: {
    source: "idle",
    title: "Stopped: Shall I rename it as well?",
    scenario: { turns: [[{ say: "The cart works.\n\nShall I rename it as well?" }]] },
    exact: ["The cart works."],
  },
  dead: {
    source: "dead",
    title: "Died: exit code 7",
    scenario: { turns: [[{ say: "Going down." }, { crash: 7 }]] },
    exact: ["Going down."],
  },
  error: {
    source: "error",
    title: "Rate limited: Too many requests",
    scenario: {
      turns: [[{ say: "Let me see." }, { error: "rate_limit", message: ERROR }]],
    },
    exact: [],
    why: ["Let me see."],
  },
  gate: {
    source: "gate",
    title: "Gate failed (exit code 1): cat report.txt; exit 1",
    scenario: { turns: [[{ say: "All tests pass." }]] },
    more: `on_idle = { action = "gate", run = "cat report.txt; exit 1", attempts = 1 }`,
    exact: ["not ok 2 - the cart is empty\n expected 0, got 1"],
    why: ["All tests pass."],
  },
  command: {
    source: "approval",
    title: "Bash (2 lines): npm ci",
    ...tool("Bash", { command: COMMAND, description: "Test and push", timeout: 5000 }, "I push it now."),
    exact: [COMMAND, "Test and push", "5000"],
    why: ["I push it now."],
  },
  edit: {
    source: "approval",
    title: "Edit: cart.js",
    ...tool("Edit", { file_path: "cart.js", old_string: "return 1;", new_string: "return 0;" }),
    exact: ["cart.js", "function total() {", "-   return 1;", "+   return 0;"],
  },
  write: {
    source: "approval",
    title: "Write: cart.js",
    ...tool("Write", { file_path: "cart.js", content: "function total() {\n  return 2;\n}\n" }),
    exact: ["cart.js", "-   return 1;", "+   return 2;"],
  },
  fetch: {
    source: "approval",
    title: "WebFetch: https://example.org/prices",
    ...tool("WebFetch", { url: "https://example.org/prices", prompt: "Find it", more: { deep: ["inside"] } }),
    exact: ["https://example.org/prices", "Find it", '"inside"'],
  },
  question: {
    source: "question",
    title: "Which store shall it be?",
    scenario: { turns: [[{ say: "I need to know." }, { ask: STORE }]] },
    exact: [],
    why: ["I need to know."],
  },
  questions: {
    source: "question",
    title: "2 questions: Which store shall it be?",
    scenario: { turns: [[{ ask: [STORE, PARTS] }]] },
    exact: [],
  },
  plan: {
    source: "plan",
    title: "Plan: Search for the shop",
    scenario: { turns: [[{ plan: PLAN }]] },
    exact: [PLAN],
  },
  step: { source: "step", title: "Release it?", exact: ["Tests: 42 passed"] },
  request: { source: "request", title: "Ship it?", exact: ["Nothing else is in the way."] },
};

const RUNBOOK = `
command "release" { run = { job = "release" } }
job "release" {
  step "confirm" {
    decision {
      prompt = "Release it?"
      text   = "Tests: 42 passed"
      option "go" { label = "Go" }
      option "stop" { label = "Stop" action = "cancel" }
    }
  }
}`;

const FILES = {
  "cart.js": "function total() {\n  return 1;\n}\n",
  "report.txt": "ok 1 - total\nnot ok 2 - the cart is empty\n  expected 0, got 1\n",
};

/** Every one of them, pending: its id by its name. */
async function everyCard(): Promise<{ stage: Stage; ids: Map<string, string> }> {
  const cast = Object.entries(CARDS).flatMap(([name, { scenario, more }]): [string, Cast][] =>
    scenario === undefined ? [] : [[name, { scenario, ...(more ? { more } : {}) }]],
  );
  const stage = await agentStage(Object.fromEntries(cast), { files: FILES, runbook: RUNBOOK });
  const ids = new Map<string, string>();
  for (const [name] of cast) ids.set(name, (await (await stage.job(name)).asked(CARDS[name]?.source)).id);
  const options = [{ label: "Yes" }, { label: "No" }];
  const context = "Nothing else is in the way.";
  const asked = { project: "shop", cwd: stage.dir, prompt: "Ship it?", options, as: "bot", context };
  const reply = await call(stage, "POST", "/decisions", { body: asked });
  ids.set("request", reply.json<{ id: string }>().id);
  const started = {
    cwd: stage.dir,
    project: "shop",
    command: "release",
    argv: [],
    named: {},
    env: stage.env,
  };
  await call(stage, "POST", "/run", { body: started });
  const step = await stage.until(
    () => stage.events.find((it) => it.type === "decision:created" && it.source === "step"),
    "the step's question",
  );
  ids.set("step", step.id);
  return { stage, ids };
}

/** As it reads: without bars, and with lines joined that the width broke. */
function read(text: string): string {
  return text
    .replace(/\n *┃ ↪ /g, " ")
    .replace(/^.*?[┃│] ?/gm, "")
    .replace(/\s+/g, " ");
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The card reads in its order, has everything, and has it once. */
function check(name: string, card: string, columns: number): void {
  const { title, exact, why = [], source } = CARDS[name] ?? { title: "", exact: [], source: "" };
  const at = `${name} at ${columns} columns:\n${card}`;
  for (const line of card.split("\n")) assert.ok([...line].length <= columns, `too wide: "${line}" in ${at}`);
  assert.doesNotMatch(card, /❯ *1\.|Esc to cancel/, `the agent's own dialog in ${at}`);
  assert.doesNotMatch(card, /old_string|new_string|file_path|planFilePath|--text/, `a field's name in ${at}`);
  assert.doesNotMatch(card, /"type" ?: ?"error"/, `raw JSON in ${at}`);
  const first = card.search(/^ {2}(1 {2}|question 1 of 2)/m);
  assert.ok(first > 0, `no options in ${at}`);
  const about = read(card.slice(0, first));
  let end = 0;
  for (const part of [title, ...exact, ...why].map((it) => it.replace(/\s+/g, " "))) {
    const found = about.indexOf(part, end);
    assert.ok(found >= 0, `"${part}" is not above the options, or not in its place: ${at}`);
    end = found + 1;
  }
  for (const part of [...exact, ...why].filter((it) => it.length > 20 && !title.includes(it)))
    assert.equal(countOf(read(card), part.replace(/\s+/g, " ")), 1, `"${part}" is there twice: ${at}`);
  const rest = card.slice(first);
  const facts = rest.search(/^ {2}asked by /m);
  assert.ok(facts > 0, `the facts are not below the options: ${at}`);
  assert.ok(read(rest.slice(facts)).includes(`, ${source}, medium urgency, pending`), at);
}

describe("the card of every decision, from top to bottom", () => {
  it("shows the exact action before the options, at every size, in show and in review", async () => {
    const { stage, ids } = await everyCard();
    const names = [...ids.keys()];
    for (const [columns, rows] of few(SIZES, 1)) {
      const script = names.map((it) => `echo "#### ${it}"; oj decision show ${ids.get(it)} 2>/dev/null`);
      const shell = await openShell(stage, `${script.join("; ")}; echo "#### end"; sleep 600`, {
        columns,
        rows,
      });
      await shell.shows(/^#### end$/m);
      const shown = (await shell.history()).split(/^#### /m).slice(1, -1);
      assert.equal(shown.length, names.length);
      for (const it of shown) {
        const [name = "", ...lines] = it.split("\n");
        check(name, lines.join("\n"), columns);
      }
      const review = await openTerminal(stage, ["decision", "review"], { columns, rows });
      for (const at of names.keys()) {
        const asked = new RegExp(`── ${at + 1} of ${names.length} [\\s\\S]*\\?(?: help)?:\\s*$`);
        await stage.until(async () => asked.test(await review.history()), `card ${at + 1}`);
        await review.press("s");
      }
      await stage.until(review.isOver);
      const walked = (await review.history()).split(/^── \d+ of \d+ ─*\n/m).slice(1);
      assert.equal(walked.length, names.length);
      for (const card of walked) {
        const name = names.find((it) => card.includes(`decision    ${ids.get(it)},`)) ?? "";
        check(name, card, columns);
      }
    }
  });
});
