import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage, untilTaken, untilWithdrawn } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { killDaemon } from "../support/http.ts";
import { showsLastLines } from "../support/last-lines.ts";

const DONE = { signal: "done" };
const GONE = "You were interrupted: your process died (cause unknown).";
const IDLE = { scenario: { turns: [[{ say: "Hm." }]], otherwise: [DONE] } };
const PUSH = { tool: "Bash", input: "git push" };
const four = [
  { question: "Which store?", options: ["Postgres", "SQLite"] },
  { question: "Which parts?", multiSelect: true, options: ["Auth", "Search", "Export"] },
  { question: "Which name?", options: ["Oak", "Elm"] },
  { question: "When?", options: ["Now", "Later"] },
];

async function restart(stage: Stage, meanwhile: () => Promise<unknown> | unknown = () => {}): Promise<void> {
  await killDaemon(stage);
  await meanwhile();
  const { code, stderr } = await stage.run("daemon", "start");
  assert.equal(code, 0, stderr);
}

const deliveries = (stage: Stage, id: string) =>
  stage.events.filter((it) => it.type === "decision:delivered" && it.id === id).length;

const pidOf = (run: Run) => Number(run.told("start").at(-1)?.pid);

describe("agents whose daemon was killed", () => {
  it("still have their question, and get the answer, through keys if their dialog is open", async () => {
    const plays = (...steps: object[]) => ({ scenario: { turns: [[...steps, DONE]] } });
    const stage = await agentStage({
      idle: IDLE,
      approve: plays(PUSH),
      deny: plays({ ...PUSH, denied: [DONE] }),
      four: plays({ ask: four }),
      plan: plays({ plan: "# Plan" }),
      clear: plays({ plan: "# Plan" }),
      revise: plays({ plan: "# Plan", revised: [DONE] }),
    });
    const cases: [string, string[], string, object][] = [
      ["idle", ["1", "-m", "Go on."], "prompt", { text: "Go on." }],
      ["approve", ["1"], "allowed", { by: "keys" }],
      ["deny", ["2", "-m", "Not today."], "denied", { by: "keys", message: "Not today." }],
      [
        "four",
        ["3", "1,3", "3", "1", "--text", "a flat file", "--text", "Ash"],
        "answered",
        {
          by: "keys",
          answers: {
            "Which store?": "a flat file",
            "Which parts?": "Auth, Export",
            "Which name?": "Ash",
            "When?": "Now",
          },
        },
      ],
      ["plan", ["3"], "plan_accepted", { by: "keys", mode: "default" }],
      ["clear", ["1"], "plan_accepted", { by: "keys", clear: true }],
      ["revise", ["4", "-m", "Smaller."], "denied", { by: "keys", message: "Smaller." }],
    ];
    const runs = await Promise.all(cases.map(([name]) => stage.job(name)));
    const asked = await Promise.all(runs.map((run) => run.asked()));
    await restart(stage);
    await Promise.all(
      cases.map(async ([, words, kind, fields], n) => {
        const [run, decision] = [runs[n], asked[n]];
        if (!run || !decision) return;
        assert.equal((await run.asked()).id, decision.id);
        const taken = await run.answer(decision, ...words);
        assert.equal(taken.delivery.state, "acknowledged");
        await run.until(() => run.told(kind).length > 0, `"${kind}"`);
        const told = run.told(kind).at(-1);
        for (const [field, value] of Object.entries(fields)) assert.deepEqual(told?.[field], value);
        assert.equal(await run.ended(), "completed");
        assert.equal(deliveries(stage, decision.id), 1);
        assert.equal(run.told(kind).length, kind === "prompt" ? 2 : 1);
      }),
    );
  });

  it("get an answer that was given right before the kill, once", async () => {
    const plays = (...steps: object[]) => ({ scenario: { turns: [[...steps, { say: "Thanks." }]] } });
    const stage = await agentStage({ idle: plays(), ask: plays({ ask: four[0] }), push: plays(PUSH) });
    for (let round = 0; round < 2; round++) {
      const runs = await Promise.all(["idle", "ask", "push"].map((it) => stage.crew(it)));
      const asked = await Promise.all(runs.map((run) => run.asked()));
      const given = await Promise.all(
        asked.map(({ id }, n) =>
          stage.run("decision", "resolve", id, "1", ...(n === 0 ? ["-m", `go ${id}`] : [])),
        ),
      );
      assert.deepEqual(
        given.map((it) => it.code),
        [0, 0, 0],
      );
      await restart(stage);
      for (const { id } of asked) await untilTaken(stage, id);
      const [idle, ask, push] = runs as [Run, Run, Run];
      await idle.until(() => idle.heard().length > 0, "the words");
      assert.deepEqual(idle.heard(), [`go ${asked[0]?.id}`]);
      assert.deepEqual(
        ask.told("answered").map((it) => it.answers),
        [{ "Which store?": "Postgres" }],
      );
      assert.equal(push.told("allowed").length, 1);
    }
  });

  also(
    "get an answer that was given while no daemon ran: resolving starts one, which delivers it",
    async () => {
      const stage = await agentStage({ asks: { scenario: { turns: [[PUSH, DONE]] } } });
      const run = await stage.job("asks");
      const decision = await run.asked("approval");
      await killDaemon(stage);
      await run.answer(decision, "1");
      await ends("completed")(run);
      assert.equal(run.told("allowed").length, 1);
    },
  );

  also("are found as they are if they stopped, died or went on in the meantime", async () => {
    const waits = (...steps: object[]) => ({
      scenario: { turns: [[{ run: "while [ ! -e go ]; do sleep 0.05; done" }, ...steps]], ignore_keys_ms: 0 },
    });
    const stage = await agentStage({
      stops: waits({ say: "That was it." }),
      dies: waits({ crash: 9 }),
      asks: { scenario: { turns: [[PUSH, { say: "Pushed." }]], ignore_keys_ms: 0 } },
    });
    const [stops, dies, asks] = (await Promise.all(["stops", "dies", "asks"].map((it) => stage.job(it)))) as [
      Run,
      Run,
      Run,
    ];
    const { id } = await asks.asked("approval");
    await stage.until(() => [stops, dies].every((it) => it.told("prompt").length === 1));
    await stage.shows(asks, /❯ 1\. Yes/);
    await restart(stage, async () => {
      stage.write({ go: "" });
      await stage.press(asks, "1");
      await stage.shows(asks, /● Pushed\.[\s\S]*❯\s*$/m);
      await stage.shows(stops, /● That was it\./);
      await stage.until(() => dies.told("crash").length === 1);
    });
    assert.match((await dies.asked("dead")).context, /exit code 9/);
    showsLastLines(await stops.asked("idle"), /● That was it\./);
    await untilWithdrawn(stage, id);
    await asks.asked("idle");
  });
});

describe("a new dialog that came up while no daemon ran", () => {
  also("raises a question of its own, however similar it looks", async () => {
    const force = { tool: "Bash", input: "git push --force" };
    const stage = await agentStage({
      pushes: { scenario: { turns: [[PUSH, force, DONE]], ignore_keys_ms: 0 } },
    });
    const run = await stage.job("pushes");
    const first = await run.asked("approval");
    await stage.shows(run, /❯ 1\. Yes/);
    await restart(stage, async () => {
      await stage.press(run, "1");
      await stage.shows(run, /git push --force[\s\S]*❯ 1\. Yes/);
    });
    assert.equal((await untilWithdrawn(stage, first.id)).reason, "answered in the terminal");
    const second = await run.asked("approval");
    assert.equal(second.title, "Bash: git push --force");
    await run.answer(second, "2", "-m", "Not by force.");
    await run.asked("idle"); // after a No nothing is left of its turn
    assert.deepEqual(
      run.told("denied").map((it) => it.message),
      ["Not by force."],
    );
    assert.equal(run.told("allowed").length, 1);
  });
});

describe("a daemon that can't use tmux", () => {
  also("says so, and finds its agents as soon as it can", async () => {
    const stage = await agentStage({ idle: IDLE });
    const [lives, dies] = (await Promise.all([stage.job("idle"), stage.job("idle")])) as [Run, Run];
    const asked = await lives.asked("idle");
    await dies.asked("idle");
    const broken = path.join(stage.home, "bin", "tmux");
    await restart(stage, () => {
      fs.writeFileSync(broken, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      process.kill(pidOf(dies), "SIGKILL");
    });
    const warnings = async () => (await stage.json<{ warnings: string[] }>("daemon", "status")).warnings;
    const isSaid = async () =>
      /the agents can't be seen: tmux can't be used/.test((await warnings()).join("\n"));
    await stage.until(isSaid, "that they can't be seen");
    assert.match((await stage.run("doctor")).stdout, /agents\b.*can't be seen/);
    assert.equal((await stage.run("decision", "resolve", asked.id, "1", "-m", "Go on.")).code, 0);
    fs.rmSync(broken);
    await dies.asked("dead");
    assert.equal((await untilTaken(stage, asked.id)).delivery.state, "acknowledged");
    await ends("completed", ["Go on."])(lives);
    await stage.until(async () => (await warnings()).length === 0, "no warning");
  });
});

describe("a killed tmux server", () => {
  it("counts as the death of its agents, noticed at once and after a restart, and Retry brings them back", async () => {
    const stage = await agentStage({ idle: IDLE });
    const run = await stage.job("idle");
    await run.asked("idle");
    await stage.tmux("kill-server");
    await run.answer(await run.asked("dead"), "1", "-m", "One.");
    await ends("completed", [`${GONE}\n\nOne.`])(run);
    const other = await stage.job("idle");
    await other.asked("idle");
    await restart(stage, () => stage.tmux("kill-server"));
    await other.answer(await other.asked("dead"), "1", "-m", "Two.");
    await ends("completed", [`${GONE.replace("cause unknown", "its terminal is gone")}\n\nTwo.`])(other);
  });
});

describe("an answer for an agent that dies before it hears it", () => {
  also("is delivered after the resume, once", async () => {
    const stage = await agentStage({ idle: IDLE });
    const run = await stage.job("idle");
    const decision = await run.asked("idle");
    const terminals = Number(await stage.tmux("display-message", "-p", "#{pid}"));
    process.kill(terminals, "SIGSTOP"); // nobody takes the message to it
    await stage.json("decision", "resolve", decision.id, "1", "-m", "Mind the gap.");
    process.kill(pidOf(run), "SIGKILL");
    process.kill(terminals, "SIGCONT");
    const dead = await run.asked("dead");
    await run.answer(dead, "1", "-m", "Up again.");
    assert.equal((await untilTaken(stage, decision.id)).delivery.state, "acknowledged");
    assert.equal(await run.ended(), "completed");
    assert.equal(run.heard().length, 1);
    assert.match(run.heard()[0] ?? "", /Mind the gap\.\s+You were interrupted: .*\s+Up again\./);
  });
});
