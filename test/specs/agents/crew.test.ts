import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { killDaemon } from "../support/http.ts";
import type { Refusal } from "../support/views.ts";

const HM = { turns: [[{ say: "Hm." }]], otherwise: [{ say: "Heard." }] };
const PUSH = {
  turns: [[{ tool: "Bash", input: { command: "git push" }, result: "pushed" }, { say: "Pushed." }]],
  otherwise: [{ say: "Heard." }],
};
const DIES = { match: [{ prompt: "again", steps: [{ say: "Back." }] }], turns: [[{ crash: 7 }]] };

interface Crew {
  id: string;
  status: string;
  agent_id: string;
  pending_decision: string | null;
  reason: string | null;
  error: string | null;
  steps: unknown[];
}

const show = (stage: Stage, { owner }: Run) => stage.json<Crew>("crew", "show", owner);

describe("a crew", () => {
  it("is waited for by `oj run --wait`, and its outcome is the exit code", async () => {
    const stage = await agentStage({
      hm: { scenario: HM },
      fails: { scenario: { turns: [[{ signal: "fail", message: "no network" }]] } },
    });
    const started = (name: string, ...flags: string[]) =>
      stage.start("run", `${name}-crew`, "--wait", ...flags);
    const idle = async (not: string[]) =>
      stage.until(async () => {
        const crews = await stage.json<Crew[]>("crew", "list", "--status", "waiting");
        return crews.find((it) => !not.includes(it.id) && it.pending_decision);
      }, "a crew that waits");
    const [failed, late] = [started("fails"), started("hm", "--timeout", "2s")];
    assert.deepEqual((({ code }) => code)(await failed.ended), 1);
    assert.match(
      (await failed.ended).stdout,
      /^(crew-\w+)\n✗ \1 fails-crew failed after .*: no network\n {2}→ oj crew logs crew-/,
    );
    assert.equal((await late.ended).code, 5);
    assert.match((await late.ended).stderr, /did not end within 2s\n.*oj crew show crew-/);
    const before = (await stage.json<Crew[]>("crew", "list")).map((it) => it.id);
    const done = started("hm", "-o", "json");
    const one = await idle(before);
    assert.equal((await stage.run("decision", "resolve", one.pending_decision ?? "", "2")).code, 0);
    const { code, stdout, stderr } = await done.ended;
    assert.equal(code, 0);
    assert.match(stderr, /⏸ {2}Stopped: Hm\.\n {2}→ oj decision resolve dec-/);
    const result = JSON.parse(stdout) as { crew_id: string; crew: Crew };
    assert.deepEqual([result.crew_id, result.crew.status], [one.id, "completed"]);
    const cancelled = started("hm");
    const two = await idle([...before, one.id]);
    assert.equal((await stage.run("crew", "cancel", two.id, "--reason", "enough")).code, 0);
    assert.equal((await cancelled.ended).code, 4);
    assert.match((await cancelled.ended).stdout, /hm-crew cancelled after .*: enough\n$/);
    const list = (await stage.run("crew", "list")).stdout;
    for (const it of ["completed", "cancelled", "failed", "waiting"])
      assert.match(list, new RegExp(`crew-\\w+ .* ${it} `), it);
  });

  also("is called a crew on its cards, never a step or a job", async () => {
    const stage = await agentStage({
      hm: { scenario: HM },
      dies: { scenario: DIES },
      push: { scenario: PUSH },
      gated: {
        scenario: { turns: [[{ signal: "done" }]] },
        more: `on_signal = { action = "gate", run = "false", attempts = 1 }`,
      },
    });
    for (const name of ["hm", "dies", "push", "gated"]) {
      const run = await stage.crew(name);
      const { id } = await run.asked();
      const card = (await stage.run("decision", "show", id)).stdout;
      assert.doesNotMatch(
        card.replaceAll(/^.*The last lines of its output[\s\S]*$/gm, ""),
        /\b(step|job)s?\b/i,
        card,
      );
      assert.match(
        card,
        /the run is cancelled, and its terminal closes|Cancel the run and close its terminal/,
      );
    }
  });

  also("has a log of its gates: each command, all that it printed, and how it ended", async () => {
    const gate = "echo gate of $OJ_AGENT; echo 2 of 9 tests fail >&2; false";
    const stage = await agentStage({
      gated: {
        scenario: { turns: [[{ say: "Hm." }]], otherwise: [{ say: "Again." }] },
        more: `on_idle = { action = "gate", run = ${JSON.stringify(gate)}, attempts = 1 }`,
      },
    });
    const run = await stage.crew("gated");
    await run.asked("gate");
    const logs = async (...flags: string[]) => {
      const { code, stdout, stderr } = await stage.run("crew", "logs", run.owner, ...flags);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const once = [
      `── gate: ${gate}`,
      `gate of ${run.agent}`,
      "2 of 9 tests fail",
      "── gate: failed, exit code 1",
    ];
    const whole = await stage.until(async () => {
      const text = await logs("--gates");
      return text.endsWith("exit code 1\n") && text; // its last line is written right after the decision
    }, "the end of the gate's log");
    assert.ok(whole.startsWith(`${once.join("\n")}\n`), whole);
    assert.equal(await logs("--gates", "-n", "1"), "── gate: failed, exit code 1\n");
    assert.doesNotMatch(await logs(), /2 of 9 tests fail[\s\S]*── gate/, "its terminal is another log");
  });

  also("can be named by its id or a prefix of it wherever a job or an agent can", async () => {
    const stage = await agentStage({ hm: { scenario: HM } });
    assert.deepEqual(await stage.json("crew", "list"), []);
    const run = await stage.crew("hm");
    const asked = await run.asked("idle");
    const job = await stage.job("hm");
    const short = run.owner.slice(5, 10);
    for (const id of [run.owner, run.owner.slice(0, 10), short]) {
      for (const group of ["crew", "job"]) {
        const shown = await stage.json<Crew>(group, "show", id);
        assert.deepEqual(
          [shown.id, shown.status, shown.agent_id, shown.pending_decision, shown.steps],
          [run.owner, "waiting", run.agent, asked.id, []],
        );
        assert.match((await stage.run(group, "peek", id)).stdout, /● Hm\./);
        assert.match((await stage.run(group, "logs", id)).stdout, /Hm\./);
        const late = await stage.run(group, "wait", id, "--timeout", "50ms");
        assert.equal(late.code, 5, late.stderr);
        assert.match(late.stderr, /oj (crew|job) show /);
      }
      assert.match((await stage.run("agent", "peek", id)).stdout, /● Hm\./);
      assert.match((await stage.run("agent", "show", id)).stdout, new RegExp(`works for +crew ${run.owner}`));
      assert.match((await stage.run("agent", "logs", id)).stdout, /Hm\./);
    }
    const text = (await stage.run("crew", "show", run.owner)).stdout;
    for (const it of [
      /hm-crew {2}waiting/,
      /agent +hm \(agt-/,
      /⏸ hm {2}idle/,
      /Stopped: Hm\./,
      /→ oj decision resolve dec-/,
    ])
      assert.match(text, it);
    assert.match(
      (await stage.run("status")).stdout,
      new RegExp(`${run.owner} +waiting .* crew hm-crew +\\[idle\\]`),
    );
    const refused = async (...words: string[]) => {
      const { code, stdout } = await stage.run(...words, "-o", "json");
      assert.equal(code, 1, words.join(" "));
      return (JSON.parse(stdout) as Refusal).error;
    };
    assert.equal((await refused("crew", "show", job.owner)).code, "crew.not-found");
    assert.equal((await refused("crew", "show", "crew-zzzz")).code, "crew.not-found");
    assert.match((await refused("job", "suspend", run.owner)).message, /is a crew: it has no steps/);
    assert.equal((await refused("crew", "delete", run.owner)).hint, `oj crew cancel ${run.owner}`);
    assert.equal((await refused("crew", "resume", run.owner)).hint, `oj decision show ${asked.id}`);
    const offered = async () => (await stage.run("__complete", "--", "crew", "show", "")).stdout;
    const isOffered = new RegExp(`^${run.owner}\t`);
    await stage.until(async () => isOffered.test(await offered()), "its id for a Tab"); // if the daemon is quick enough

    const cancelled = await stage.run("job", "cancel", run.owner, "--reason", "enough");
    assert.equal(cancelled.stdout, `– ${run.owner} is cancelled, and its terminal closes\n`);
    assert.deepEqual((({ status, reason, error }) => [status, reason, error])(await show(stage, run)), [
      "cancelled",
      "enough",
      null,
    ]);
    assert.equal((await stage.decision(asked.id)).state, "withdrawn");
    assert.equal((await stage.run("crew", "wait", run.owner)).code, 4);
    assert.equal((await refused("crew", "resume", run.owner)).code, "crew.ended");
    assert.equal((await stage.run("crew", "cancel", run.owner)).code, 1);
    await stage.until(async () => !(await stage.tmux("list-sessions")).includes(run.agent), "no session");
    assert.equal((await stage.run("crew", "delete", run.owner)).stdout, `${run.owner} is deleted\n`);
    assert.equal((await refused("crew", "show", run.owner)).code, "crew.not-found");
    assert.deepEqual(await stage.json("crew", "list"), []);
  });

  also("that failed is resumed with a new agent, which hears the message", async () => {
    const stage = await agentStage({
      fails: {
        scenario: { match: [{ prompt: "now", steps: [{ say: "Fine." }] }], turns: [[{ signal: "fail" }]] },
      },
    });
    const run = await stage.crew("fails");
    assert.equal(await run.ended(), "failed");
    const resumed = await stage.run("crew", "resume", run.owner, "-m", "The network is up now.");
    assert.match(resumed.stdout, new RegExp(`^${run.owner} continues\n$`));
    await stage.until(async () => (await show(stage, run)).pending_decision, "its question");
    const { agent_id, status } = await show(stage, run);
    assert.ok(agent_id !== run.agent && status === "waiting");
    assert.match((await stage.run("crew", "peek", run.owner)).stdout, /up now\.[\s\S]*● Fine\./);
  });

  also("survives a killed daemon, and its answer ends it", async () => {
    const stage = await agentStage({ hm: { scenario: HM } });
    const run = await stage.crew("hm");
    const asked = await run.asked("idle");
    await killDaemon(stage);
    const waiting = stage.start("crew", "wait", run.owner);
    assert.equal((await show(stage, run)).status, "waiting");
    await stage.run("decision", "resolve", asked.id, "2");
    assert.equal((await waiting.ended).code, 0);
    assert.equal((await show(stage, run)).status, "completed");
  });
});

describe("a crew whose question was dismissed", () => {
  const dismissed = async (stage: Stage, name: string) => {
    const run = await stage.crew(name);
    const { id } = await run.asked();
    assert.equal((await stage.run("decision", "resolve", id, "dismiss")).code, 0);
    const { status, pending_decision } = await show(stage, run);
    assert.deepEqual([status, pending_decision], ["waiting", null]);
    assert.match((await stage.run("status")).stdout, new RegExp(`continue with oj crew resume ${run.owner}`));
    return run;
  };

  it("can be continued with `crew resume` or `agent send`, even if its agent is dead; a kill says what can be done", async () => {
    const stage = await agentStage({ dies: { scenario: DIES } });
    const [one, two] = await Promise.all([dismissed(stage, "dies"), dismissed(stage, "dies")]);
    const killed = await stage.run("agent", "kill", one.agent);
    assert.equal(killed.code, 1);
    assert.match(
      killed.stderr,
      new RegExp(`is already gone \\(exit code 7\\)\n.*oj crew resume ${one.owner}, or: oj crew cancel`),
    );
    const sent = await stage.run("agent", "send", one.owner, "again");
    assert.match(sent.stdout, /is being restarted to get it/);
    assert.match((await stage.run("crew", "resume", two.owner, "-m", "again")).stdout, /continues/);
    for (const run of [one, two]) {
      await stage.until(async () => (await show(stage, run)).pending_decision, "it stopped");
      assert.match(run.heard().join("\n"), /again/);
    }
  });

  also("asks about its dialog again after `crew resume -m`, and hears the message afterwards", async () => {
    const stage = await agentStage({ push: { scenario: PUSH } });
    const run = await dismissed(stage, "push");
    const resumed = await stage.run("crew", "resume", run.owner, "-m", "Then stop.");
    assert.match(resumed.stdout, /is waiting for an answer to dec-\w+; it gets your message after that/);
    const again = await run.asked("approval");
    assert.match(again.context, /> Then stop\./);
    assert.equal((await run.answer(again, "1")).delivery.state, "acknowledged");
    await run.until(() => run.heard().includes("Then stop."), "its words");
  });
});
