/** Agents on one machine whose questions are answered on another: two daemons, one database. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Postgres } from "../../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../../fakes/servers/postgres.ts";
import type { Decision, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import type { Project } from "../support/project.ts";
import { tempProject } from "../support/project.ts";

const why = whyNoPostgres();
if (why !== null) process.stderr.write(`machines.test.ts is skipped: ${why}\n`);

let server: Postgres;
beforeAll(async () => {
  if (why === null) server = await postgres();
});
afterAll(() => server?.close());

type Shown = Decision & { machine: string; away_since_ms: number | null };

const DONE = { signal: "done" };
const plays = (...steps: object[]) => ({ scenario: { turns: [[...steps, DONE]] } });
const CAST = {
  push: plays({ tool: "Bash", input: "git push" }),
  ask: plays({ ask: { question: "Which store?", options: ["Postgres", "SQLite"] } }),
  idle: { scenario: { turns: [[{ say: "Hm." }]], otherwise: [DONE] } },
};
/** What each is answered, and how it writes that down. */
const ANSWERS = [
  ["push", ["1"], "allowed"],
  ["ask", ["2"], "answered"],
  ["idle", ["1", "-m", "Go on."], "prompt"],
] as const;

async function two(): Promise<{ anvil: Stage; bellows: Project }> {
  const url = await server.database();
  const on = (machine: string, user: string) => ({
    env: { OJ_STORE_URL: url, OJ_MACHINE: machine, OJ_USER: user },
  });
  const bellows = await tempProject({}, on("bellows", "bob"));
  return { anvil: await agentStage(CAST, on("anvil", "ana")), bellows };
}

const shown = (project: Project, id: string) => project.json<Shown>("decision", "show", id);
const deliveries = (stage: Stage, id: string) =>
  stage.events.filter((it) => it.type === "decision:delivered" && it.id === id).length;

async function seenBy(project: Project, id: string): Promise<void> {
  const isThere = async () =>
    (await project.json<Decision[]>("decision", "list", "--all")).some((it) => it.id === id);
  await project.until(isThere, `${id} in the other inbox`);
}

describe.skipIf(why !== null)("agents on another machine", () => {
  it("get their answers at home, once, with the same receipts", async () => {
    const { anvil, bellows } = await two();
    for (const [name, words, kind] of ANSWERS) {
      const run = await anvil.job(name);
      const before = run.told(kind).length;
      const { id } = await run.asked();
      await seenBy(bellows, id);
      assert.equal((await shown(bellows, id)).machine, "anvil");
      const given = await bellows.run("decision", "resolve", id, ...words);
      assert.equal(given.code, 0, given.stderr);
      await run.until(() => run.told(kind).length > before, `"${kind}"`);
      assert.equal(await run.ended(), "completed");
      assert.equal(deliveries(anvil, id), 1, name);
      await bellows.until(
        async () => (await shown(bellows, id)).delivery.state === "acknowledged",
        "the receipt",
      );
      assert.equal((await shown(anvil, id)).answer?.by, "bob");
      const looked = await bellows.run("agent", "logs", run.agent);
      assert.equal(looked.code, 1);
      assert.match(looked.stderr, new RegExp(`${run.agent} runs on anvil`));
    }
    assert.deepEqual(fs.existsSync(path.join(bellows.stateDir, "tmux.sock")), false, "no terminals here");
    assert.deepEqual(
      anvil.events.filter((it) => it.type === "effect:failed"),
      [],
    );
  });

  also("that is away stay its own: the answer is owed, and arrives once when it is back", async () => {
    const { anvil, bellows } = await two();
    const run = await anvil.job("push");
    const { id } = await run.asked();
    await seenBy(bellows, id);
    assert.equal((await anvil.run("daemon", "stop")).code, 0);
    const away = async () => (await shown(bellows, id)).away_since_ms !== null;
    await bellows.until(away, "that anvil is away");
    const given = await bellows.run("decision", "resolve", id, "1");
    assert.equal(given.code, 0, given.stderr);
    assert.equal((await shown(bellows, id)).delivery.state, "owed");
    assert.match((await bellows.run("decision", "show", id)).stdout, /machine anvil away since \d{4}-/);
    assert.match((await bellows.run("machine", "list")).stdout, /anvil +away since \d{4}-/);
    assert.match((await bellows.run("status")).stdout, /away since/);
    assert.deepEqual(run.told("allowed"), []);
    const back = await anvil.run("daemon", "start");
    assert.equal(back.code, 0, back.stderr);
    await run.until(() => run.told("allowed").length > 0, "the approval");
    await bellows.until(
      async () => (await shown(bellows, id)).delivery.state === "acknowledged",
      "the receipt",
    );
    assert.equal(run.told("allowed").length, 1);
    await bellows.until(async () => !(await away()), "that anvil is back");
  });
});
