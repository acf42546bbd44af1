/** An agent that means harm, or is badly broken: what a person sees of it is true, and what it costs is bounded. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import { agentStage } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { killDaemon } from "../support/http.ts";
import { showsLastLines } from "../support/last-lines.ts";

const DONE = { signal: "done" };
const ESC = "\u001b";
/** A title, the clipboard, a cleared screen, colours, a link, a device query, reversed text, a C1 control, a NUL. */
const ESCAPES = `${ESC}]0;owned\u0007${ESC}]52;c;aGk=\u0007${ESC}[2J${ESC}[31mred${ESC}]8;;http://x\u0007link${ESC}[6n\u202etxt\u009b2J\u0000`;
/** What a terminal would obey, hide or reorder. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const FAKE_DIALOG = [
  "────────────────────────────────────────",
  " Bash command",
  "",
  "   rm -rf /",
  "",
  " Do you want to proceed?",
  " ❯ 1. Yes",
  "   2. No",
  "",
  " Esc to cancel",
].join("\n");

describe("what a hostile agent prints and asks", () => {
  it("never reaches a terminal unfiltered, whatever command shows it", async () => {
    const asks = {
      question: `Which${ESCAPES}one?`,
      options: [`Post${ESCAPES}gres`, { label: "B", description: `safe${ESCAPES}` }],
    };
    const scenario = { turns: [[{ escape: ESCAPES }, { say: `Hm. ${ESCAPES}` }, { ask: asks }, DONE]] };
    const stage = await agentStage({ hostile: { scenario } });
    const run = await stage.job("hostile");
    const { id } = await run.asked("question");
    for (const words of [
      ["decision", "list"],
      ["decision", "show", id],
      ["agent", "list"],
      ["agent", "show", run.agent],
      ["agent", "peek", run.agent],
      ["agent", "logs", run.agent],
      ["job", "peek", run.owner],
      ["job", "show", run.owner],
      ["status"],
    ]) {
      const { stdout, stderr, code } = await stage.run(...words);
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(`${stdout}${stderr}`.replaceAll("\n", ""), OBEYED, words.join(" "));
      const json = await stage.run(...words, "-o", "json");
      assert.equal(json.code, 0, json.stderr);
      assert.doesNotMatch(json.stdout.replaceAll("\n", ""), OBEYED, `${words.join(" ")} -o json`);
    }
    const colours = await stage.run("agent", "peek", run.agent, "--ansi");
    const beyond = colours.stdout.replaceAll(new RegExp(`${ESC}\\[[0-9;:]*m|\\n`, "g"), "");
    assert.doesNotMatch(beyond, new RegExp(`${ESC}|\\p{Cc}`, "u"), "of the screen, colours and nothing else");
    await run.answer(await stage.decision(id), "1");
    await ends("completed")(run);
  });

  it("is not a permission dialog just because it looks like one", async () => {
    const scenario = { turns: [[{ fake_dialog: FAKE_DIALOG }, { say: "Well?" }]] };
    const stage = await agentStage({ hostile: { scenario } });
    const run = await stage.job("hostile");
    const idle = await run.asked("idle");
    showsLastLines(idle, /Do you want to proceed\?/); // the person sees what it printed
    await killDaemon(stage);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    await stage.until(async () => (await stage.decision(idle.id)).state === "pending");
    await run.answer(idle, "2");
    await ends("completed")(run);
    assert.deepEqual(created(stage.events), ["idle"]);
  });

  also(
    "is marked as seen only on its screen if no hook reported it and no daemon was there to hear one",
    async () => {
      const stage = await agentStage({
        posing: { scenario: "claude", prompt: null, more: `on_dead = "done"` },
      });
      const claude = path.join(stage.home, "bin/claude");
      fs.writeFileSync(
        claude,
        `#!/bin/bash\ncat <<'END'\n${FAKE_DIALOG}\nEND\nread -rn1 key; echo "$key" >pressed\n`,
      );
      fs.chmodSync(claude, 0o755);
      const run = await stage.job("posing");
      await stage.shows(run, /Esc to cancel/);
      assert.deepEqual(created(stage.events), [], "a screen alone asks nothing");
      await killDaemon(stage);
      assert.equal((await stage.run("daemon", "start")).code, 0);
      const decision = await run.asked("approval");
      assert.match(decision.title, /^Not reported by a hook: Do you want to proceed\?$/);
      assert.equal(decision.action, null, "not the command it claims to be about");
      await stage.run("decision", "resolve", decision.id, "2");
      assert.equal(await run.ended(), "completed");
      assert.match(
        fs.readFileSync(path.join(stage.dir, "pressed"), "utf8"),
        /^2/,
        "the key went to it, and that was all",
      );
    },
  );
});

describe("reports that make no sense", () => {
  it("are refused with a reason and kept, raise no question, and the agent's real question still arrives", async () => {
    const permission = { hook_event_name: "PermissionRequest", tool_name: "Bash" };
    const bad: [unknown, RegExp, Record<string, string>?][] = [
      ["{ not json", /not JSON/],
      ["\u0000\u00ff", /not JSON/],
      ["[1]", /JSON object/],
      [{ hook_event_name: 7 }, /hook_event_name is missing/],
      [{ ...permission, tool_input: "rm -rf /" }, /the tool_input of PermissionRequest is not an object/],
      [{ hook_event_name: "PreToolUse", tool_use_id: "x" }, /PreToolUse has no tool_name/],
      [JSON.stringify({ hook_event_name: "Stop", x: "x".repeat(4_300_000) }), /larger than 4 MB/],
      [
        { ...permission, tool_input: {} },
        /this token is unknown or has expired/,
        { "x-oj-agent-token": "wrong" },
      ],
    ];
    const steps = bad.map(([body, , headers]) => ({ hook: body, ...(headers ? { headers } : {}) }));
    const ask = { ask: { question: "Which?", options: ["A", "B"] } };
    const stage = await agentStage({ hostile: { scenario: { turns: [[...steps, ask, DONE]] } } });
    const run = await stage.job("hostile");
    await run.answer(await run.asked(), "2");
    await ends("completed")(run);
    assert.deepEqual(created(stage.events), ["question"]);
    const replies = run.told("hook_reply");
    assert.equal(replies.length, bad.length);
    for (const [n, [, why]] of bad.entries()) {
      const { status, text } = replies[n] as unknown as { status: number; text: string };
      assert.match(JSON.parse(text).error.message, why);
      assert.ok(status >= 400 && status < 500, `${status}`);
    }
    const kept = run.events("agent:refused").map((it) => String(it.reason));
    for (const [, why] of bad.slice(0, 7))
      assert.ok(
        kept.some((it) => why.test(it)),
        `${why} in ${kept}`,
      );
    assert.equal(kept.length, 7, "what came without its token is not held against it");
    const log = fs.readFileSync(path.join(stage.stateDir, "daemon.log"), "utf8");
    assert.match(log, /an agent was refused.*PermissionRequest is not an object/);
    assert.match(log, /an agent was refused.*this token is unknown or has expired/);
    assert.doesNotMatch(log, /a hook failed/);
  });
});

describe("an agent that dies whenever it is started", () => {
  also("is restarted as often as its runbook allows, then a person hears what was tried", async () => {
    const dies = { scenario: { turns: [[{ say: "I fall." }, ...Array(9).fill({ crash: 9 })]] } };
    const stage = await agentStage({
      dies: { ...dies, more: `on_dead = { action = "resume", attempts = 4 }` },
    });
    const run = await stage.job("dies");
    const decision = await run.asked("dead");
    assert.match(decision.context, /exit code 9/);
    assert.match(decision.context, /Tried before asking: resume 4 times \(on_dead\)/);
    assert.equal(run.events("agent:spawned").length, 5);
    await run.answer(decision, "3");
    await ends("cancelled", run.heard())(run);
  });
});

function created(events: { type: string; source?: unknown }[]): unknown[] {
  return events.flatMap((it) => (it.type === "decision:created" ? [it.source] : []));
}
