/** The table of sources and clients in docs/agents.md against what the clients declare, and that against what they do. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { AgentClient } from "../../src/agents/client.ts";
import { agentClientOf } from "../../src/agents/known/clients.ts";
import * as list from "../../src/agents/known/list.ts";
import { program } from "../../src/agents/program/client.ts";
import type { Promises, Worth } from "../../src/agents/promises.ts";
import type { Prompt, Reply } from "../../src/core/model/agent-types.ts";
import type { Option } from "../../src/core/model/decision-types.ts";
import { optionsFor } from "../../src/core/template/options.ts";
import { approval, plan, question } from "../fakes/agents.ts";

const page = fs.readFileSync(path.join(import.meta.dirname, "../../docs/agents.md"), "utf8");
const table =
  page
    .split("## Every source, every client\n")[1]
    ?.split("\n\n")
    .find((it) => it.startsWith("|")) ?? "";
const [head = [], , ...rows] = table.split("\n").map((line) =>
  line
    .slice(1, -1)
    .split(" | ")
    .map((it) => it.trim()),
);

/** The column of each client in the table. */
const COLUMNS: Record<string, AgentClient> = {
  "`claude`": list.claudeCode,
  "`codex`": list.codex,
  "`opencode`": list.opencode,
  "`gemini`": list.gemini,
  "`acp:…`": list.acp,
  "anything else": program,
};

function worthIn(cell: string): Worth | undefined {
  if (cell.startsWith("not offered")) return null;
  const word = /\*\*(exact|best effort)\*\*/.exec(cell)?.[1];
  return word === "exact" || word === "best effort" ? word : undefined;
}

describe("the table of sources and clients", () => {
  it("has a column for every client; the scripted agent is as Claude Code", () => {
    assert.deepEqual(head.slice(1), Object.keys(COLUMNS));
    const shown = [...Object.values(COLUMNS), list.scripted].map((it) => it.kind).toSorted();
    assert.deepEqual(shown, [...Object.values(list), program].map((it) => it.kind).toSorted());
    assert.deepEqual(list.scripted.promises, list.claudeCode.promises);
  });

  it("has a row for every source that is declared", () => {
    const named = rows.map(([name = ""]) => name.split(",")[0]);
    assert.deepEqual(named, Object.keys(list.claudeCode.promises));
  });

  for (const [n, [name, client]] of Object.entries(COLUMNS).entries()) {
    it(`says of ${name} what it declares`, () => {
      const written = rows.map((cells) => [cells[0]?.split(",")[0], worthIn(cells[n + 1] ?? "")]);
      assert.deepEqual(Object.fromEntries(written), client.promises);
    });
  }
});

const prompts: Record<"approval" | "question" | "plan", Prompt> = { approval, question, plan };

/** What a person's choice of this option becomes for the dialog; null if the dialog gets nothing. */
function replyTo({ action, label }: Option): Reply | null {
  const asked = question.questions[0]?.question ?? "";
  switch (action.type) {
    case "approve":
      return { type: "approve", message: null };
    case "deny":
      return { type: "deny", message: "No." };
    case "choose":
      return { type: "answers", answers: [{ question: asked, labels: [label], text: null }], message: null };
    case "other":
      return { type: "answers", answers: [{ question: asked, labels: [], text: "Own" }], message: null };
    case "accept":
      return { type: "accept", mode: action.mode, message: null };
    case "revise":
      return { type: "revise", message: "Again." };
    default:
      return null;
  }
}

/** Answers that go by keys alone, as the table says: all questions of Codex, and the plan that clears the context. */
const BY_KEYS: Partial<Record<string, (reply: Reply) => boolean>> = {
  codex: (reply) => reply.type === "answers",
  "claude-code": (reply) => reply.type === "accept" && reply.mode === "clear",
};
BY_KEYS.scripted = BY_KEYS["claude-code"];

/** Behind our runner, a plan is a question whose options are the program's own. */
const ASKED_AS_QUESTION: AgentClient[] = [list.acp, list.gemini];

describe("every option that is offered", () => {
  for (const client of Object.values(list)) {
    for (const kind of ["approval", "question", "plan"] as const) {
      const { promises } = client;
      if (promises[kind] === null || (kind === "plan" && ASKED_AS_QUESTION.includes(client))) continue;
      it(`for ${kind} is taken by ${client.kind}, by its hook or by keys as the table says`, () => {
        for (const option of optionsFor(kind, prompts[kind], "job")) {
          const reply = replyTo(option);
          if (reply === null) continue;
          const byKeys = BY_KEYS[client.kind]?.(reply) === true;
          assert.equal(client.reply(prompts[kind], reply) === null, byKeys, `${option.key}`);
        }
      });
    }
    it(`takes a change only where ${client.kind} declares it`, () => {
      const edit = { input: { command: "ls -l" }, told: "changed" };
      const body = client.reply(approval, { type: "approve", message: null, edit });
      if (client.promises.edited === null) assert.equal(isChanged(body), false);
      else assert.ok(isChanged(body));
    });
  }

  it("of a client that nobody knows is what any program takes", () => {
    const unknown: Promises = agentClientOf({ kind: "nightingale" as never }).promises;
    assert.deepEqual(unknown, program.promises);
  });
});

function isChanged(body: object | null): boolean {
  return JSON.stringify(body)?.includes("ls -l") ?? false;
}
