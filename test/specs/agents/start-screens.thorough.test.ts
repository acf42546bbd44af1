import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Stage } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";
import { killDaemon } from "../support/http.ts";

const FIXTURES = path.join(import.meta.dirname, "../../fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8").trimEnd();

/** A client that shows what the real one can't be made to show here, notes the key that it gets, and then waits for text. */
async function standIn(shows: string, version = "2.1.325"): Promise<{ stage: Stage; picked: () => string }> {
  const stage = await agentStage({ works: { scenario: "claude", prompt: null } });
  const file = (name: string, text: string, mode = 0o644) => {
    const full = path.join(stage.home, name);
    fs.writeFileSync(full, text, { mode });
    return full;
  };
  const picked = path.join(stage.home, "picked");
  const first = file("first.txt", shows.replace("/home/ana/shop", stage.dir));
  const idle = file("idle.txt", screen("idle-at-start"));
  const script = `#!/bin/bash
if [ "$1" = --version ]; then echo x >> ${stage.home}/asked; echo "${version} (Claude Code)"; exit; fi
show() { printf '\\033[2J\\033[H'; cat "$1"; }
show ${first}
read -rsn1 key
printf %s "$key" > ${picked}
show ${idle}
sleep 1000
`;
  file("bin/claude", script, 0o755);
  return { stage, picked: () => (fs.existsSync(picked) ? fs.readFileSync(picked, "utf8") : "") };
}

/** The page on which a client that has never run asks how to log in. */
const login = `Welcome to Claude Code v2.1.325\n${screen("menu-login")
  .split("\n")
  .slice(-10)
  .filter((line) => !/Esc to cancel/.test(line))
  .join("\n")}`;

describe("a client that asks something before it starts", () => {
  it("asks how to log in, and a person says how", async () => {
    const { stage, picked } = await standIn(login);
    const run = await stage.crew("works");
    const decision = await run.asked("approval");
    assert.match(decision.context, /Select login method/);
    assert.deepEqual(
      decision.options.map((it) => it.label),
      [
        "Claude account with subscription · Individual, Team, or Enterprise",
        "Anthropic Console account · API usage billing",
        "3rd-party platform · Bedrock, Microsoft Foundry, Google Vertex AI",
        "Cancel",
        "Dismiss",
      ],
    );
    assert.equal((await run.answer(decision, "2")).delivery.state, "acknowledged");
    assert.equal(picked(), "2");
    await run.asked("idle");
  });

  it("asks whether to trust a folder that is not the agent's, and oj leaves that to a person", async () => {
    const { stage, picked } = await standIn(screen("trust").replace("/home/ana/shop", "/somewhere/else"));
    const run = await stage.crew("works");
    const decision = await run.asked("approval");
    assert.match(decision.context, /\/somewhere\/else/);
    assert.deepEqual(
      decision.options.map((it) => it.label),
      ["No, exit", "Yes, I trust this folder", "Cancel", "Dismiss"],
    );
    assert.equal(picked(), "");
  });

  it("asks the same question again after its daemon was killed", async () => {
    const { stage } = await standIn(screen("menu-bypass"));
    const run = await stage.crew("works");
    const decision = await run.asked("approval");
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    assert.equal((await run.asked("approval")).id, decision.id, "it is still the same question");
  });
});

describe("a client that is older than what oj is tested with", () => {
  it("runs, and its agents and oj doctor say so; its version is looked up once", async () => {
    const { stage } = await standIn(screen("idle-at-start"), "2.0.14");
    const note = "Claude Code 2.0.14 is older than 2.1.325, which oj is tested with";
    const runs = [await stage.crew("works"), await stage.crew("works")];
    for (const run of runs) {
      await run.until(() => run.events("agent:noted").length > 0, "a note");
      assert.deepEqual(
        run.events("agent:noted").map((it) => it.note),
        [note],
      );
      assert.match((await stage.run("agent", "show", run.agent)).stdout, new RegExp(`note +${note}`));
    }
    assert.equal(fs.readFileSync(path.join(stage.home, "asked"), "utf8"), "x\n");
    assert.match((await stage.run("doctor")).stdout, new RegExp(`! claude +${note}[\\s\\S]*claude update`));
  });
});
