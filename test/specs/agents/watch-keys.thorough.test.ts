import assert from "node:assert/strict";
import { it } from "vitest";
import { agentStage } from "../support/agents.ts";
import { everySource, NUMBERS } from "../support/every-source.ts";
import { undoAfter } from "../support/settings.ts";
import { openTerminal } from "../support/terminal.ts";

/** A key counts once what it answers has been on the screen for 400 ms. */
const onScreen = () => new Promise((resolve) => setTimeout(resolve, 500));

it("the terminal inbox takes two keys per answer, for every source, one decision after the other", async () => {
  const { stage, sources, ended } = await everySource();
  const terminal = await openTerminal(stage, ["decision", "watch"], { columns: 120, rows: 40 });
  const left = new Set(sources.keys());
  let keys = 0;
  while (left.size > 0) {
    const id = await stage.until(
      async () => {
        const focus = /│ +decision +(dec-\w+),[\s\S]*│ .?1 {3}\S/.exec(await terminal.screen())?.[1];
        return focus !== undefined && left.has(focus) ? focus : null;
      },
      `one of ${[...left].join(", ")} in focus`,
    );
    const source = sources.get(id) ?? "request";
    const { number, label } = NUMBERS[source];
    await onScreen();
    for (const key of [number, "Enter"]) {
      await terminal.press(key);
      keys += 1;
    }
    const { answer } = await stage.until(async () => {
      const decision = await stage.decision(id);
      return decision.state === "resolved" && decision;
    }, `an answer to ${id}`);
    assert.deepEqual([answer?.labels, answer?.via], [[label], "tui"], source);
    left.delete(id);
  }
  assert.equal(keys, 2 * sources.size);
  await ended();
});

it("four keys approve five identical commands in the terminal and take all of it back", async () => {
  const lint = { tool: "Bash", input: { command: "npm run lint -- --fix" } };
  const stage = await agentStage({ lints: { scenario: { turns: [[lint]] } } }, undoAfter(120));
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => stage.job("lints")));
  const asked = await Promise.all(runs.map((it) => it.asked("approval")));
  const held = () =>
    Promise.all(
      asked.map(async ({ id }) => {
        const { held } = await stage.json<{ held: { answer: { labels: string[] } } | null }>(
          "decision",
          "show",
          id,
        );
        return held?.answer.labels[0] ?? null;
      }),
    );
  const terminal = await openTerminal(stage, ["decision", "watch"], { columns: 80, rows: 24 });
  await terminal.shows(/×5[\s\S]*┃ npm run lint -- --fix[\s\S]*1 {3}Approve/);
  await onScreen();
  await terminal.press("1");
  await terminal.shows(/1 ● Approve/);
  await terminal.press("Enter");
  const all = await terminal.shows(/Enter yes, all 5/);
  assert.match(all, /Approve/);
  await onScreen();
  await terminal.press("Enter");
  await stage.until(async () => (await held()).every((it) => it === "Approve"), "five answers on hold");
  await terminal.shows(/u take 5 answers back/);
  await terminal.press("u");
  await stage.until(async () => (await held()).every((it) => it === null), "nothing on hold");
  await terminal.press("q");
});
