import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { call } from "../specs/support/http.ts";
import type { Project } from "../specs/support/project.ts";
import { tempProject } from "../specs/support/project.ts";
import { openTerminal } from "../specs/support/terminal.ts";

/** Enough to notice; `OJ_RACE_ROUNDS=200` for more. */
const ROUNDS = Number(process.env.OJ_RACE_ROUNDS ?? 9);
const ARRIVE = 50;
const SETTLED = 10;

/** A pending decision in focus, with nothing chosen yet. */
const OPEN = /│ +decision +(dec-\w+), request[\s\S]*│ .?1 {3}Yes/;

interface View {
  id: string;
  state: string;
  answer: { via: string; labels: string[] } | null;
}

async function ask(project: Project, prompt: string): Promise<string> {
  const options = [{ label: "Yes" }, { label: "No" }];
  const body = { project: "race", cwd: project.dir, prompt, options, file_check: false };
  return (await call(project, "POST", "/decisions", { body })).json<View>().id;
}

const all = (project: Project, body: object) => call(project, "POST", "/decisions/resolve", { body });

it("Enter in the terminal inbox answers the selected decision or nothing, whatever arrives and is settled meanwhile", async () => {
  const project = await tempProject();
  const folder = path.join(project.home, ".config/oj");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, "config.toml"),
    "[undo]\nwatch_s = 0\n[limits]\nrequests_per_minute = 100000\n",
  );
  await project.run("daemon", "start");
  let waiting = [await ask(project, "round 0, first"), await ask(project, "round 0, second")];
  const terminal = await openTerminal(project, ["decision", "watch"], { columns: 100, rows: 24 });
  const outcomes = { answered: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const screen = await terminal.shows(OPEN);
    const selected = OPEN.exec(screen)?.[1] ?? "";
    await terminal.press("1");
    await terminal.shows(/1 +● +Yes/);
    const besides = waiting.filter((id) => id !== selected);
    const victims = [...(round % 3 === 0 ? [selected] : []), ...besides].slice(0, SETTLED);
    const [arrived] = await Promise.all([
      Promise.all(Array.from({ length: ARRIVE }, (_, at) => ask(project, `round ${round + 1}, ${at}`))),
      all(project, { ids: victims, choices: [[2]] }),
      terminal.press("Enter"),
    ]);
    const views = await project.until(async () => {
      const now = (await call(project, "GET", "/decisions?all=true")).json<View[]>();
      return now.some((it) => it.id === selected && it.state !== "pending") ? now : null;
    });
    const mine = views.filter((it) => it.answer?.via === "tui").map((it) => it.id);
    if (mine.includes(selected)) outcomes.answered += 1;
    else outcomes.refused += 1;
    assert.equal(mine.length, outcomes.answered, `round ${round}: another one was answered`);
    waiting = [...new Set([...waiting, ...arrived])].filter((id) => id !== selected && !victims.includes(id));
    const surplus = waiting.splice(0, Math.max(0, waiting.length - 20));
    if (surplus.length > 0) await all(project, { ids: surplus, choices: [[2]] });
    await project.until(async () => {
      await terminal.press("g"); // pauses for a moment if the one in focus has just gone
      const now = await terminal.screen();
      return (
        now.includes(` ${waiting.length} waiting for you`) &&
        OPEN.test(now) &&
        OPEN.exec(now)?.[1] !== selected
      );
    });
  }
  assert.equal(outcomes.answered + outcomes.refused, ROUNDS);
  assert.ok(outcomes.answered > ROUNDS / 3, JSON.stringify(outcomes));
});
