import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../../everything.ts";
import type { Agent } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { showsLastLines } from "../support/last-lines.ts";
import { tempProject } from "../support/project.ts";
import type { Refusal } from "../support/views.ts";

const IDLE = { scenario: { turns: [[{ say: "Hm." }]], otherwise: [{ signal: "done" }] } };

describe("oj agent", () => {
  it("lists, shows, peeks at and talks to an agent", async () => {
    const stage = await agentStage({ idle: IDLE });
    assert.equal((await stage.run("agent", "list")).stdout, "no agents are running\n");
    const run = await stage.job("idle");
    const { id } = await run.asked("idle");
    const list = (await stage.run("agent", "list")).stdout;
    assert.match(list, new RegExp(`^AGENT .*\\n${run.agent}  idle  idle  .* idle · work .*${id}`));
    const shown = (await stage.run("agent", "show", run.agent.slice(4, 9))).stdout;
    for (const it of [
      /works for .*step "work"/,
      /client +scripted/,
      /conversation +[0-9a-f-]{36}/,
      /\nHm\.\n/,
    ])
      assert.match(shown, it);
    assert.match((await stage.run("agent", "peek", run.agent)).stdout, /● Hm\./);
    assert.match((await stage.run("job", "peek", run.owner)).stdout, /● Hm\./);
    assert.match((await stage.run("agent", "peek", run.agent, "--ansi")).stdout, /Hm\./);
    const peeked = (await stage.run("agent", "peek", run.agent)).stdout;
    const logs = (await stage.run("agent", "logs", run.agent)).stdout;
    assert.ok(logs.endsWith(peeked), `the log ends with the screen as tmux has it:\n${logs}\n---\n${peeked}`);
    assert.ok((await stage.run("agent", "logs", run.agent, "--raw")).stdout.includes("\u001b["));
    const sent = await stage.run("agent", "send", run.agent, "do", "the rest");
    assert.equal(sent.stdout, `${run.agent} gets it now\n`);
    await ends("completed", ["do the rest"])(run);
    const all = await stage.json<Agent[]>("agent", "list", "--all");
    assert.deepEqual(
      all.map((it) => it.status),
      ["ended"],
    );
    assert.match((await stage.run("agent", "logs", run.agent, "-n", "200")).stdout, /do the rest/);
    assert.equal((await stage.run("agent", "send", run.agent, "hello")).code, 1);
    assert.match((await stage.run("agent", "show", "agt-zzzz")).stderr, /there is no agent agt-zzzz/);
  });

  also("lives on without a daemon, and its next command starts one; daemon stop says so", async () => {
    const asks = {
      turns: [
        [{ run: "while [ ! -e go ]; do sleep 0.05; done; oj decision request --prompt Tea? --option yes" }],
      ],
    };
    const stage = await agentStage({ asks: { scenario: asks }, idle: IDLE });
    const [run, idle] = await Promise.all([stage.job("asks"), stage.job("idle")]);
    await Promise.all([idle.asked("idle"), stage.until(() => run.told("prompt").length === 1)]);
    const { stderr, code } = await stage.run("daemon", "stop");
    assert.equal(code, 0);
    assert.equal(
      stderr,
      "! 2 agents keep running; any oj command they run starts the daemon again\n" +
        "  → to stop them first: oj job cancel ID, oj agent kill ID\n",
    );
    assert.equal((await stage.run("daemon", "status")).stdout, "the daemon isn't running\n");
    stage.write({ go: "" });
    assert.equal((await run.asked("request")).title, "Tea?");
  });

  also("kills an agent, and the runbook decides what follows", async () => {
    const waits = { turns: [[{ sleep: 600_000 }]] };
    const stage = await agentStage({
      asks: { scenario: waits },
      fails: { scenario: waits, more: `on_dead = "fail"` },
    });
    const [asks, fails] = await Promise.all([stage.job("asks"), stage.crew("fails")]);
    await stage.until(() => [asks, fails].every((it) => it.told("prompt").length === 1));
    for (const it of [asks, fails]) assert.equal((await stage.run("agent", "kill", it.agent)).code, 0);
    await ends("failed")(fails);
    const decision = await asks.asked("dead");
    assert.match(decision.title, /killed by SIG|exit code/);
    showsLastLines(decision, /❯ Begin\./);
    await asks.answer(decision, "2");
    await ends("completed")(asks);
  });

  it("attaches a terminal that can answer, and leaves the agent alone when it detaches", async () => {
    const stage = await agentStage({
      asks: { scenario: { turns: [[{ tool: "Bash", input: "ls" }, { say: "Listed." }]], ignore_keys_ms: 0 } },
    });
    const run = await stage.job("asks");
    await run.asked("approval");
    const refused = await stage.run("agent", "attach", run.agent);
    assert.match(refused.stderr, /attaching needs a terminal/);
    const mine = path.join(stage.home, "mine.sock");
    const tmux = (...args: string[]) =>
      promisify(execFile)("tmux", ["-S", mine, ...args], { env: stage.env });
    onTestFinished(() =>
      tmux("kill-server").then(
        () => {},
        () => {},
      ),
    );
    await tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", `oj job attach ${run.owner}`);
    const screen = async () => (await tmux("capture-pane", "-p")).stdout;
    await stage.until(async () => /❯ 1\. Yes/.test(await screen()), "the agent's screen in mine");
    await tmux("send-keys", "1");
    await run.asked("idle");
    await stage.until(async () => /● Listed\./.test(await screen()));
    await tmux("send-keys", "C-b", "d");
    await stage.until(
      () =>
        tmux("has-session").then(
          () => false,
          () => true,
        ),
      "the end of my terminal",
    );
    assert.equal((await run.view()).status, "idle");
  });
});

describe("an agent", () => {
  it("can ask and signal, but can't answer anything, least of all its own question", async () => {
    const turn = [
      { run: "oj decision resolve $(cat theirs) 1 -o json" },
      { run: "oj job cancel $(oj job list -o json | grep -o 'job-[a-z0-9]*' | head -1)" },
      { say: "I tried." },
    ];
    const stage = await agentStage({ idle: IDLE, cheats: { scenario: { turns: [turn] } } });
    const idle = await stage.job("idle");
    const { id } = await idle.asked("idle");
    stage.write({ theirs: id });
    const cheats = await stage.job("cheats");
    await cheats.asked("idle");
    const [resolved, cancelled] = cheats.told("run") as unknown as { code: number; output: string }[];
    const { error } = JSON.parse(resolved?.output ?? "{}") as Refusal;
    assert.match(error.code, /forbidden/);
    assert.notEqual(cancelled?.code, 0);
    assert.equal((await stage.decision(id)).state, "pending");
    assert.deepEqual(
      cheats.events("agent:refused").map((it) => String(it.call).replace(/job-\w+/, "JOB")),
      [`POST /decisions/${id}/resolve`, "POST /jobs/JOB/cancel"],
    );
    assert.equal(cheats.status().includes("cancel"), false);
  });
});

describe("without tmux", () => {
  also("an agent can't be started; it says what to install, and so does oj doctor", async () => {
    const stage = await tempProject({
      ".oj/runbooks/a.hcl": `
        command "go" { run = { job = "go" } }
        job "go" { step "work" { run = { agent = "a" } } }
        agent "a" { run = "oj-agent"  prompt = "x"  on_dead = "fail" }`,
    });
    const bin = path.join(stage.home, "bin");
    fs.mkdirSync(bin);
    for (const it of ["bash", "sh", "env", "node", "git", "ps", "sleep", "setsid", "cat", "curl", "mkdir"]) {
      const { stdout } = await promisify(execFile)("which", [it]).catch(() => ({ stdout: "" }));
      if (stdout) fs.symlinkSync(stdout.trim(), path.join(bin, it));
    }
    stage.env.PATH = bin;
    const { job_id } = await stage.json<{ job_id: string }>("run", "go");
    assert.equal((await stage.run("job", "wait", job_id)).code, 1);
    const shown = (await stage.run("job", "show", job_id)).stdout;
    assert.match(shown, /agents run in tmux, and tmux is not installed: apt install tmux/);
    assert.match(
      (await stage.run("doctor")).stdout,
      /! tmux +not found; for agents[\s\S]*install tmux with your system's package manager/,
    );
  });
});
