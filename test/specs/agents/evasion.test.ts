/** Whose code runs: what an agent wrote has the agent's rights, whoever starts it and however it hides its origin. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";

const IDLE = { scenario: { turns: [[{ say: "Hm." }]] } };
const HIDDEN = "env -u OJ_AGENT -u OJ_AGENT_TOKEN -u OJ_RUN -u OJ_JOB";
/** Nothing of the agent's environment except what finds the daemon and the program. */
const EMPTY = `env -i PATH="$PATH" HOME="$HOME" OJ_STATE_DIR="$OJ_STATE_DIR"`;
const tmux = `tmux -S "$OJ_STATE_DIR/tmux.sock"`;

/** Ways to answer as if one were a person. `ANSWER` prints what became of it. */
const EVASIONS: Record<string, string> = {
  "without its variables": `${HIDDEN} ANSWER`,
  "with an empty environment": `${EMPTY} ANSWER`,
  "by a link to the state folder": `ln -sfn "$OJ_STATE_DIR" link; ${HIDDEN} OJ_STATE_DIR="$PWD/link" ANSWER`,
  "below 70 shells": `${EMPTY} bash nested.sh 70 ANSWER`,
  "in the background": `${EMPTY} ANSWER &`,
  "by nohup": `nohup ${EMPTY} ANSWER >/dev/null 2>&1 &`,
  "left by its parents": `( ( ${EMPTY} bash -c 'sleep 0.2; ANSWER' & ) & )`,
  "in a session of its own": `setsid ${EMPTY} ANSWER`,
  "as a daemon": `setsid -f ${EMPTY} bash -c 'cd /; ( sleep 0.2; ANSWER & ) & ' >/dev/null 2>&1 </dev/null`,
  "as a daemon, with another limit": `setsid -f ${EMPTY} bash -c 'ulimit -q 1000; ( sleep 0.2; ANSWER & ) &' >/dev/null 2>&1`,
  "by a terminal of our tmux": `${tmux} new-session -d -s mine "${EMPTY} ANSWER"`,
  "by a shell of our tmux": `${tmux} run-shell -b "${EMPTY} ANSWER"`,
};

/** A program that answers, and writes down the reply. */
function answerer(stage: Stage, id: string): (name: string) => string {
  const file = path.join(stage.home, "bin/answer");
  const lines = [`oj decision resolve ${id} 1 -o json > "$1.part" 2>&1`, 'mv "$1.part" "$1"'];
  fs.writeFileSync(file, `#!/bin/bash\n${lines.join("\n")}\n`, { mode: 0o755 });
  return (name) => path.join(stage.home, `${name.replaceAll(/\W+/g, "-")}.json`);
}

const codeIn = (file: string) =>
  (JSON.parse(fs.readFileSync(file, "utf8")) as { error?: { code: string } }).error?.code;

const refusals = (stage: Stage) =>
  fs.readFileSync(path.join(stage.stateDir, "daemon.log"), "utf8").split("an agent was refused").length - 1;

describe.skipIf(!fs.existsSync("/proc/self/limits"))("an agent that poses as a person", () => {
  it("is refused whatever it tries, and each attempt is recorded", async () => {
    const stage = await agentStage({
      idle: IDLE,
      hides: {
        scenario: { turns: [[{ run: "until [ -e go ]; do sleep 0.1; done; bash go" }, { say: "I tried." }]] },
      },
    });
    const idle = await stage.job("idle");
    const { id } = await idle.asked("idle");
    const hides = await stage.job("hides");
    const fileOf = answerer(stage, id);
    stage.write({
      "nested.sh": 'n=$1; shift; if [ $n -gt 0 ]; then bash "$0" $((n - 1)) "$@"; else "$@"; fi; exit $?',
      ...Object.fromEntries(
        Object.entries(EVASIONS).map(([name, line]) => [
          `try-${path.basename(fileOf(name))}.sh`,
          line.replace("ANSWER", `${path.join(stage.home, "bin/answer")} ${fileOf(name)}`),
        ]),
      ),
      "go.part": Object.keys(EVASIONS)
        .map((name) => `bash try-${path.basename(fileOf(name))}.sh`)
        .join("\n"),
    });
    fs.renameSync(path.join(stage.dir, "go.part"), path.join(stage.dir, "go"));
    for (const name of Object.keys(EVASIONS)) {
      await stage.until(() => fs.existsSync(fileOf(name)), `an answer "${name}"`);
      assert.equal(codeIn(fileOf(name)), "request.forbidden", name);
    }
    assert.equal((await stage.decision(id)).state, "pending");
    await stage.until(() => refusals(stage) === Object.keys(EVASIONS).length, "the record of each");
    assert.ok(hides.events("agent:refused").length >= 9, "most are known as this very agent");
    await hides.asked("idle");
  });
});

describe("code that an agent may have written", () => {
  it("runs with the agent's rights: prime, gates, and the steps and contexts of its job", async () => {
    const stage = await agentStage(
      {
        idle: IDLE,
        works: {
          scenario: { turns: [[{ signal: "done" }, { say: "." }]], otherwise: [{ signal: "done" }] },
          more: `prime = { startup = "bash ./answer startup", signal = "bash ./answer signal" }
            on_signal = { action = "gate", run = "bash ./answer gate; [ -e passed ] || { touch passed; false; }" }`,
        },
      },
      {
        runbook: `
          command "all" { run = { job = "all" } }
          job "all" {
            step "before" { run = "oj decision list -o json > before.json" }
            step "work"   { run = { agent = "works" } }
            step "after"  { run = "bash ./answer after; ${HIDDEN} bash ./answer hidden; setsid ${HIDDEN} bash ./answer setsid; true" }
            step "ask"    { decision { prompt = "Well?"  context = "bash ./answer context"  option "yes" {}  option "no" {} } }
          }`,
      },
    );
    const idle = await stage.job("idle");
    const { id } = await idle.asked("idle");
    stage.write({ answer: `oj decision resolve ${id} 1 -o json > told-$1.json 2>&1; true` });
    const run = await stage.job("all");
    const told = (name: string) => path.join(stage.dir, `told-${name}.json`);
    await stage.until(
      () => stage.events.find((it) => it.type === "decision:created" && it.title === "Well?"),
      "the question at the end",
    );
    for (const name of ["startup", "gate", "signal", "after", "hidden", "setsid", "context"])
      assert.equal(codeIn(told(name)), "request.forbidden", name);
    assert.equal((await stage.decision(id)).state, "pending");
    assert.ok(run.events("agent:refused").length >= 7);
    assert.match(fs.readFileSync(path.join(stage.dir, "before.json"), "utf8"), new RegExp(id));
  });
});

describe("keys sent through tmux's own socket", () => {
  it("are recorded, since an agent may have answered its own dialog; those from oj or an attached person are not", async () => {
    const ask = { ask: [{ question: "Which?", header: "Q", options: ["A", "B"] }] };
    const answers = `(sleep 2; ${tmux} send-keys -t "=$OJ_AGENT:" 1) >/dev/null 2>&1 &`;
    const stage = await agentStage({
      honest: { scenario: { turns: [[ask, { say: "." }]] } },
      answers: { scenario: { turns: [[{ run: answers }, ask, { say: "." }]] } },
      buffers: {
        scenario: {
          turns: [[{ run: `${tmux} set-buffer x && ${tmux} paste-buffer -t "=$OJ_AGENT:"` }, { say: "." }]],
        },
      },
    });
    const honest = await stage.job("honest");
    await honest.answer(await honest.asked("question"), "2");
    await stage.run("agent", "send", honest.agent, "Go on."); // pasted by oj, and sent off by a key
    await honest.until(() => honest.heard().includes("Go on."), "the words");
    const run = await stage.job("answers");
    await run.until(() => run.events("agent:keyed").length > 0, "the record");
    const buffers = await stage.job("buffers");
    await buffers.until(() => buffers.events("agent:keyed").length > 0, "the record of a paste");
    assert.deepEqual(honest.events("agent:keyed"), []);
    assert.match(
      fs.readFileSync(path.join(stage.stateDir, "daemon.log"), "utf8"),
      /keys were sent to an agent's terminal by neither a person nor oj/,
    );
  });
});

describe("git in a job's workspace", () => {
  also("runs hooks that an agent may have written, and they can't answer anything", async () => {
    const stage = await agentStage(
      { idle: IDLE },
      {
        runbook: `
          command "tree" { run = { job = "tree" } }
          job "tree" {
            workspace { git = true }
            step "look" { run = "echo here" }
          }`,
      },
    );
    const { id } = await (await stage.job("idle")).asked("idle");
    const told = path.join(stage.home, "hook.json");
    const git = (...args: string[]) => execFileSync("git", args, { cwd: stage.dir, env: stage.env });
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
    const hook = `#!/bin/sh\noj decision resolve ${id} 1 -o json > ${told} 2>&1\nexit 0\n`;
    fs.writeFileSync(path.join(stage.dir, ".git/hooks/post-checkout"), hook, { mode: 0o755 });
    const { job_id } = await stage.json<{ job_id: string }>("run", "tree");
    assert.equal((await stage.run("job", "wait", job_id)).code, 0);
    assert.equal(codeIn(told), "request.forbidden");
    assert.equal((await stage.decision(id)).state, "pending");
  });
});

describe("an agent's token", () => {
  also("is in no program's arguments", async () => {
    const stage = await agentStage({
      asks: {
        scenario: {
          turns: [[{ run: "oj decision list" }, { signal: "done" }, { say: "." }]],
        },
        more: `prime = { startup = "echo hello" }
          on_signal = { action = "gate", run = "oj decision list" }`,
      },
    });
    const log = path.join(stage.home, "arguments");
    for (const name of ["curl", "env", "bash", "node", "tmux", "git"]) {
      const real = execFileSync("bash", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
      const wrapper = `#!/bin/sh\nprintf '%s\\n' ${name} "$@" >> ${log}\nexec ${real} "$@"\n`;
      fs.writeFileSync(path.join(stage.home, "bin", name), wrapper, { mode: 0o755 });
    }
    await stage.run("daemon", "restart"); // so that the daemon finds them too
    const run = await stage.job("asks");
    const token = await stage.until(() => {
      const file = path.join(stage.stateDir, "agents", run.agent, "token");
      return fs.existsSync(file) && fs.readFileSync(file, "utf8");
    }, "its token");
    assert.equal(await run.ended(), "completed");
    const used = fs.readFileSync(log, "utf8");
    for (const name of ["curl", "bash", "tmux"]) assert.match(used, new RegExp(`^${name}$`, "m"));
    const at = used.indexOf(token);
    assert.ok(
      at < 0,
      `of what was started by its name: ${JSON.stringify(token)} in ${JSON.stringify(used.slice(Math.max(0, at - 600), at + 200))}`,
    );
    for (const pid of fs.readdirSync("/proc").filter((it) => /^\d+$/.test(it))) {
      const file = `/proc/${pid}/cmdline`;
      const words = fs.existsSync(file) ? safely(() => fs.readFileSync(file, "utf8")) : "";
      assert.ok(!words.includes(token), words.slice(0, 300));
    }
  });
});

function safely(read: () => string): string {
  try {
    return read();
  } catch {
    return ""; // it has just ended
  }
}
