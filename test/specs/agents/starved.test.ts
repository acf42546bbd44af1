/** A machine short of everything: things come late or in another order. Nobody may hang because of it, least of all silently. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { few } from "../../everything.ts";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage, untilTaken } from "../support/agents.ts";
import { call } from "../support/http.ts";

const DONE = { signal: "done" };
const CAST = {
  question: { scenario: { turns: [[{ ask: [{ question: "Which?", options: ["Oak", "Elm"] }] }, DONE]] } },
  approval: { scenario: { turns: [[{ tool: "Bash", input: "true" }, DONE]] } },
  plan: { scenario: { turns: [[{ plan: "# Plan" }, DONE]] } },
  idle: { scenario: { turns: [[{ say: "Hm." }]], otherwise: [DONE] } },
};

interface Slow {
  stage: Stage;
  /** From now on tmux starts programs and does not say that it did. */
  silence(): void;
  speak(): void;
}

/** A stage whose daemon hears that a program was started only when the test allows it. */
async function withSlowTmux(): Promise<Slow> {
  const real = spawnSync("bash", ["-c", "command -v tmux"], { encoding: "utf8" }).stdout.trim();
  const stage = await agentStage(CAST, {
    before({ home, env }) {
      const bin = path.join(home, "slow");
      fs.mkdirSync(bin);
      const pass = [
        "while IFS= read -r line; do",
        `case $line in %[0-9]*'|'*) while [ -e '${home}/silence' ]; do sleep 0.05; done;; esac`,
        `printf '%s\\n' "$line"; done`,
      ].join("\n");
      const script = `#!/usr/bin/env bash
        case " $* " in *" -C "*) exec '${real}' "$@" > >(${pass});; *) exec '${real}' "$@";; esac`;
      fs.writeFileSync(path.join(bin, "tmux"), script, { mode: 0o755 });
      env.PATH = `${bin}:${env.PATH}`;
    },
  });
  const file = path.join(stage.home, "silence");
  const speak = () => fs.rmSync(file, { force: true });
  onTestFinished(speak); // before the processes of the stage are looked for: one of them waits for this
  return { stage, silence: () => fs.writeFileSync(file, ""), speak };
}

/** A tmux that does not answer is given up after ten seconds, and asked again whether the agent runs. */
function isGivenUp(began: number): boolean {
  return performance.now() - began > 9000;
}

async function answer(stage: Stage, run: Run, source: string): Promise<string> {
  const { id } = await run.asked(source);
  const { code, stderr } = await stage.run("decision", "resolve", id, source === "plan" ? "2" : "1");
  assert.equal(code, 0, stderr);
  return id;
}

describe("an agent that asks before tmux has confirmed its start", () => {
  it.each(few(Object.keys(CAST), 1))("gets its answer as soon as tmux has: %s", async (source) => {
    const { stage, silence, speak } = await withSlowTmux();
    silence();
    const began = performance.now();
    const run = await stage.job(source);
    const id = await answer(stage, run, source);
    if (!isGivenUp(began)) assert.deepEqual(run.events("agent:spawned"), []);
    speak();
    await untilTaken(stage, id);
    assert.equal(await run.ended(), "completed");
    assert.equal(run.events("agent:spawned").length, 1);
    assert.equal(run.told("start").length, 1, "it was started once");
  });

  it("gets it even if tmux never does, and meanwhile everybody can read why it is late", async () => {
    const { stage, silence, speak } = await withSlowTmux();
    silence();
    const began = performance.now();
    const run = await stage.job("question");
    // a command may take longer to start than the warning stands: tmux is given up after some seconds, and tried again
    const warned = stage.until(async () => {
      const { warnings } = (await call(stage, "GET", "/health")).json<{ warnings: string[] }>();
      return warnings.some((it) => it.startsWith("start-agent:"));
    }, "a warning in the daemon's status");
    const isOver = () => isGivenUp(began); // then there is nothing left to read
    const answered = async () => {
      const id = await answer(stage, run, "question");
      const late = await stage.until(async () => {
        const { delivery } = await stage.decision(id);
        return delivery.error === null && delivery.state === "owed" ? null : delivery;
      }, "the reason");
      if (isOver()) return id;
      assert.deepEqual([late.state, late.error], ["owed", "the agent is being started"]);
      const shown = await stage.run("decision", "show", id);
      if (!isOver()) assert.match(shown.stdout, /not delivered yet: the agent is being started/);
      return id;
    };
    const [id] = await Promise.all([answered(), warned]);
    await untilTaken(stage, id);
    assert.equal(await run.ended(), "completed");
    assert.equal(run.told("start").length, 1, "it was started once");
    speak();
  });
});
