import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Decision } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";

const push = { tool: "Bash", input: { command: "git push --force", description: "Push it" } };
const store = { question: "Which store?", header: "Store", options: ["Postgres", "SQLite"] };
const name = { question: "Which name?", options: ["Oak", "Elm"] };

/** A small reader of CSV, so that what is checked is what a spreadsheet would get. */
function cellsOf(csv: string): string[][] {
  return csv
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        (it) => it[1]?.replaceAll('""', '"') ?? it[2] ?? "",
      ),
    );
}

describe("the history", () => {
  it("says in one command who approved what, and how several questions were answered", async () => {
    const stage = await agentStage({
      pushes: { scenario: { turns: [[push, { signal: "done" }]] } },
      asks: { scenario: { turns: [[{ ask: [store, name] }, { signal: "done" }]] } },
    });
    const [pushes, asks] = await Promise.all([stage.job("pushes"), stage.job("asks")]);
    const asked = await asks.asked("question");
    await asks.answer(asked, "2", "3", "--text", "=Ash");
    const wanted = await pushes.asked("approval");
    await pushes.answer(wanted, "1");
    await stage.run("decision", "request", "--prompt", "Waits", "--option", "Yes");

    const found = await stage.run("decision", "list", "--since", "7d", "--outcome", "approved");
    const [head, row, , last] = found.stdout.split("\n");
    assert.match(head ?? "", /^WHEN +ID +ANSWER +BY +DELIVERED +SOURCE +TITLE$/);
    assert.match(
      row ?? "",
      new RegExp(`${wanted.id} +Approve +ana \\(cli\\) +yes +approval +Bash: git push`),
    );
    assert.equal(last, "1 decision, the last settled first");

    const all = await stage.run("decision", "list", "--by", "ANA");
    assert.deepEqual(
      all.stdout.split("\n").flatMap((it) => /dec-\w+/.exec(it) ?? []),
      [wanted.id, asked.id],
    );
    assert.match(all.stdout, /Store: SQLite; Which name\?: =Ash/);
    const shown = await stage.run("decision", "show", asked.id);
    assert.match(shown.stdout, /answer +Store: SQLite; Which name\?: =Ash/);
    const words = await stage.json<Decision[]>("decision", "list", "--since", "1d", "--search", "force push");
    assert.deepEqual(
      words.map((it) => it.id),
      [wanted.id],
    );

    const { stdout } = await stage.run("decision", "list", "--since", "1d", "-o", "csv");
    const [columns = [], ...rows] = cellsOf(stdout);
    const cell = (at: number, column: string) => rows[at]?.[columns.indexOf(column)];
    assert.deepEqual(
      rows.map((it) => it[0]),
      [wanted.id, asked.id],
    );
    assert.equal(cell(0, "action"), `Bash ${JSON.stringify(push.input)}`);
    assert.equal(cell(0, "delivery"), "acknowledged");
    assert.equal(cell(1, "answer"), "Store: SQLite; Which name?: =Ash");
  });
});
