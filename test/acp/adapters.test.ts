/** The real adapters that speak ACP for Claude Code and Codex, run by `run = "acp:…"` against a scripted model. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { claudeEnv, prepareConfig } from "../claude/environment.ts";
import * as anthropic from "../claude/model-api.ts";
import * as openai from "../codex/model-api.ts";
import { config } from "../codex/stage.ts";
import type { Stage } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import type { Installed } from "../specs/support/install-client.ts";
import type { Cast } from "../specs/support/one-agent.ts";
import { oneScript, playAll } from "../specs/support/one-agent.ts";
import { patient } from "../specs/support/real-client.ts";
import { installClaudeAcp, installCodexAcp } from "./install.ts";

const adapters = { claude: installClaudeAcp(), codex: installCodexAcp() };
for (const [name, { reason }] of Object.entries(adapters))
  if (reason !== null) process.stderr.write(`not tested with the adapter for ${name}: ${reason}\n`);

const binOf = ({ bin, reason }: Installed) => bin ?? assert.fail(reason ?? "");
const cast = (program: string, names: string[], more = `on_idle = "done"`) =>
  Object.fromEntries(
    names.map((name) => [name, { scenario: `acp:${program}`, prompt: `Please play #s:${name}`, more }]),
  );

/** A Yes, and a No whose reason follows when the turn is over. */
async function permitted(stage: Stage): Promise<void> {
  const run = await stage.job("asks");
  const one = await run.asked("approval");
  assert.equal(one.title, "Bash: touch one");
  assert.equal((await run.answer(one, "1")).delivery.state, "acknowledged");
  const two = await run.asked("approval");
  assert.equal((await run.answer(two, "2", "-m", "Not here.")).delivery.state, "acknowledged");
  assert.equal(await run.ended(), "completed");
  const made = ["one", "two"].filter((it) => fs.existsSync(path.join(stage.dir, it)));
  assert.deepEqual(made, ["one"]);
}

/** An error of the model's API. */
async function failed(stage: Stage): Promise<void> {
  const run = await stage.job("fails");
  const decision = await run.asked("error");
  assert.match(decision.title, /429|rate limit/i);
  await run.answer(decision, "2");
}

const options = ["SQLite", "Postgres"].map((label) => ({ label, description: `As ${label}` }));
const questions = [{ question: "Which database?", header: "Database", options, multiSelect: false }];

const claude: Cast<anthropic.Step> = {
  command: (command) => anthropic.tool("Bash", { command, description: "May I?" }),
  says: anthropic.text,
  fails: (next) => ({ status: 429, next }),
  asks: {
    step: anthropic.tool("AskUserQuestion", { questions }),
    answer: ["2", "1"], // the second is its field for own words, which stays empty
    hears: /Postgres/,
  },
  reason: "prompt",
  error: /429|rate limit/i,
};

describe.skipIf(adapters.claude.bin === null)("claude-agent-acp", { timeout: 400_000 }, () => {
  it("is allowed, denied, asked, told, answered in its terminal, and resumed", async () => {
    const api = await anthropic.startModelApi({ all: oneScript(claude) });
    onTestFinished(api.close);
    const stage = patient(
      await agentStage(cast("claude-agent-acp", ["all"], ""), {
        before({ home, dir, env }) {
          const own = path.join(home, "claude");
          prepareConfig(own, { trusted: dir, onboarded: true });
          Object.assign(env, claudeEnv({ home, config: own, api: api.url }), {
            PATH: `${binOf(adapters.claude)}:${env.PATH}`,
          });
        },
      }),
      api,
    );
    await playAll(stage, claude);
  });
});

describe.skipIf(adapters.codex.bin === null)("codex-acp", { timeout: 400_000 }, () => {
  it("asks for permissions, and says when it is idle and what failed", async () => {
    const api = await openai.startModelApi({
      asks: [
        openai.bash("touch one"),
        openai.bash("touch two"),
        openai.text("Asked."),
        openai.text("I see."),
      ],
      fails: [{ status: 429, next: openai.text("Well again.") }],
    });
    onTestFinished(api.close);
    const stage = patient(
      await agentStage(cast("codex-acp", ["asks", "fails"]), {
        before({ home, dir, env }) {
          const own = path.join(home, "codex");
          fs.mkdirSync(own);
          fs.writeFileSync(path.join(own, "config.toml"), config(api.url, dir));
          const words = { HOME: home, TMPDIR: home, CODEX_HOME: own, OJ_TEST_KEY: "x" };
          // otherwise a model of its own reviews what it would ask
          const modes = { MODEL_PROVIDER: "scripted", INITIAL_AGENT_MODE: "read-only" };
          Object.assign(env, words, modes, { PATH: `${binOf(adapters.codex)}:${env.PATH}` });
        },
      }),
      api,
    );
    await permitted(stage);
    assert.match(await stage.heard("asks", 2), /Not here\./); // a No ends its turn
    await failed(stage);
  });
});
