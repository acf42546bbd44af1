/** An agent on one machine, and its person at another: what is answered there, on a real PostgreSQL. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { afterAll, beforeAll, describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Postgres } from "../../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../../fakes/servers/postgres.ts";
import type { Decision, Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { killDaemon } from "../support/http.ts";
import type { Project } from "../support/project.ts";
import { tempProject } from "../support/project.ts";

const why = whyNoPostgres();
if (why !== null) process.stderr.write(`other-machine.test.ts is skipped: ${why}\n`);

let server: Postgres;
beforeAll(async () => {
  if (why === null) server = await postgres();
});
afterAll(() => server?.close());

const call = {
  tool: "Bash",
  input: { command: "echo asked >> ran", description: "Run it" },
  real: true,
};
const next = { tool: "Bash", input: "true", real: true, asks: false };
const CHANGED = { command: "echo changed >> ran", description: "Run it" };

interface Pair {
  url: string;
  /** Where the agent runs. */
  home: Stage;
  /** Where its person is. */
  other: Project;
  run: Run;
  decision: Decision;
}

async function pair(): Promise<Pair> {
  const url = await server.database();
  const env = (name: string) => ({ OJ_STORE_URL: url, OJ_MACHINE: name });
  const scenario = { turns: [[call, next, { say: "Fine." }, { signal: "done" }]] };
  const home = await agentStage({ asks: { scenario } }, { env: env("anvil") });
  const other = await tempProject({}, { env: env("bellows") });
  const run = await home.job("asks");
  return { url, home, other, run, decision: await run.asked("approval") };
}

const shown = (project: Project, id: string) =>
  project.json<Decision & { machine: string }>("decision", "show", id);
const ran = ({ dir }: Project) => {
  const file = `${dir}/ran`;
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
};
const arrived = ({ other, decision }: Pair) =>
  other.until(async () => (await shown(other, decision.id)).delivery.state === "acknowledged", "its receipt");

describe.skipIf(why !== null)("an answer that is given at another machine", () => {
  it("is owed while the agent's home is away, which is shown, and arrives once when it is back", async () => {
    const it = await pair();
    const { url, home, other, run, decision } = it;
    await killDaemon(home);
    server.sql(url, "UPDATE daemons SET last_seen = now() - interval '1 hour' WHERE name = 'anvil'");
    assert.equal((await other.run("decision", "resolve", decision.id, "1")).code, 0);
    const { delivery, machine } = await shown(other, decision.id);
    assert.deepEqual([delivery.state, machine], ["owed", "anvil"]);
    assert.match((await other.run("decision", "show", decision.id)).stdout, /anvil.*away/);
    assert.match((await other.run("status")).stdout, /anvil/);
    assert.deepEqual(ran(home), []);
    assert.equal((await home.run("daemon", "start")).code, 0);
    await arrived(it);
    await ends("completed")(run);
    assert.deepEqual(ran(home), ["asked"]);
  });

  also("may change the call: its home runs what the person made of it", async () => {
    const it = await pair();
    const { home, other, run, decision } = it;
    const changed = await other.run(
      "decision",
      "resolve",
      decision.id,
      "1",
      "--input",
      JSON.stringify(CHANGED),
    );
    assert.equal(changed.code, 0, changed.stderr);
    await arrived(it);
    await ends("completed")(run);
    assert.deepEqual(ran(home), ["changed"]);
  });

  it("changes nothing that its home can no longer change: nothing runs, and the person hears why", async () => {
    const { home, other, decision } = await pair();
    await killDaemon(home);
    assert.equal((await home.run("daemon", "start")).code, 0);
    await home.until(async () => (await shown(home, decision.id)).action?.as_is === true, "no hook waits");
    const given = await other.run(
      "decision",
      "resolve",
      decision.id,
      "1",
      "--input",
      JSON.stringify(CHANGED),
    );
    if (given.code === 0)
      await other.until(
        async () => (await shown(other, decision.id)).delivery.state === "failed",
        "that it could not be done",
      );
    assert.deepEqual(ran(home), []);
  });
});
