import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import type { Run, Stage } from "../support/agents.ts";
import { agentStage, untilTaken, untilWithdrawn } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { call, killDaemon } from "../support/http.ts";

const DONE = { signal: "done" };
const PUSH = { tool: "Bash", input: "git push" };
const store = { question: "Which store?", options: ["Postgres", "SQLite"] };

describe("a question that is answered first in the terminal", () => {
  it("closes at once, counts as nobody's answer, and can't be answered again", async () => {
    const plays = (...steps: object[]) => ({ scenario: { turns: [[...steps, DONE]], ignore_keys_ms: 0 } });
    const stage = await agentStage({
      approval: plays(PUSH),
      question: plays({ ask: store }),
      plan: plays({ plan: "# Plan" }),
    });
    const cases: [string, RegExp, string, string, object][] = [
      ["approval", /❯ 1\. Yes/, "1", "allowed", { by: "keys" }],
      ["question", /❯ 1\. Postgres/, "2", "answered", { answers: { "Which store?": "SQLite" }, by: "keys" }],
      ["plan", /manually approve/, "3", "plan_accepted", { mode: "default", by: "keys" }],
    ];
    await Promise.all(
      cases.map(async ([name, shown, key, kind, fields]) => {
        const run = await stage.job(name);
        const { id } = await run.asked(name);
        await stage.shows(run, shown);
        await stage.press(run, key);
        assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
        await ends("completed")(run);
        const [told] = run.told(kind);
        for (const [field, value] of Object.entries(fields)) assert.deepEqual(told?.[field], value);
        const { code, stderr } = await stage.run("decision", "resolve", id, "1");
        assert.equal(code, 1);
        assert.match(stderr, /was withdrawn .*: answered in the terminal/);
        assert.equal((await stage.decision(id)).answer, null);
      }),
    );
    assert.deepEqual(await stage.json("decision", "list"), []);
  });

  also("closes at once, however long the approved command then runs", async () => {
    const wait = "while [ ! -e go ]; do sleep 0.05; done";
    const stage = await agentStage({
      builds: {
        scenario: { turns: [[{ tool: "Bash", input: wait, real: true }, DONE]], ignore_keys_ms: 0 },
      },
    });
    const run = await stage.job("builds");
    const { id } = await run.asked("approval");
    await stage.shows(run, /❯ 1\. Yes/);
    await new Promise((resolve) => setTimeout(resolve, 4000)); // a person reads first, and the daemon looks once a second
    await stage.press(run, "1");
    assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
    assert.equal((await run.view()).status, "working");
    const late = await stage.run("decision", "resolve", id, "2");
    assert.equal(late.code, 1);
    stage.write({ go: "" });
    await ends("completed")(run);
    assert.equal(run.told("denied").length, 0);
  });

  also(
    "closes when the dialog is refused with Esc, and a question about the idle agent follows",
    async () => {
      const stage = await agentStage({ asks: { scenario: { turns: [[PUSH]], ignore_keys_ms: 0 } } });
      const run = await stage.job("asks");
      const { id } = await run.asked("approval");
      await stage.shows(run, /❯ 1\. Yes/);
      await stage.press(run, "Escape");
      assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
      await run.answer(await run.asked("idle"), "2");
      await ends("completed")(run);
    },
  );

  also("closes when somebody types to an idle agent, or it goes on by itself", async () => {
    const idle = { scenario: { turns: [[{ say: "Hm." }]], otherwise: [DONE] } };
    const stage = await agentStage({ idle });
    const run = await stage.job("idle");
    const { id } = await run.asked("idle");
    await stage.press(run, "-l", "do the rest");
    await stage.press(run, "Enter");
    assert.equal((await untilWithdrawn(stage, id)).reason, "the agent carried on by itself");
    await ends("completed", ["do the rest"])(run);
  });

  also("closes when the agent exits", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[PUSH]] } } });
    const run = await stage.job("asks");
    const { id } = await run.asked("approval");
    process.kill(Number(run.told("start")[0]?.pid), "SIGKILL");
    assert.equal((await untilWithdrawn(stage, id)).reason, "the agent exited");
    assert.match((await run.asked("dead")).title, /killed by SIGKILL/);
  });
});

describe("a question answered in the terminal and, before that is known, in oj", () => {
  const plays = (...steps: object[]) => ({ scenario: { turns: [[...steps, DONE]], ignore_keys_ms: 0 } });
  const FIRST = ["failed", "the dialog was answered in the terminal first"];
  /** At once: the command waits until the agent has it. */
  const resolve = async (stage: Stage, id: string, ...choices: number[]) =>
    (await call(stage, "POST", `/decisions/${id}/resolve`, { body: { choices: [choices] } })).status;
  const restart = async (stage: Stage) => {
    await killDaemon(stage); // from now on answers are typed, which takes a moment
    assert.equal((await stage.run("daemon", "start")).code, 0);
  };
  const deliveryOf = async (stage: Stage, id: string) => {
    const { state, error } = (await stage.decision(id)).delivery;
    return [state, error];
  };

  it("never counts as delivered if the tool that oj denied has run", async () => {
    const wait = { tool: "Bash", input: "while [ ! -e go ]; do sleep 0.05; done", real: true };
    const stage = await agentStage({ builds: plays(wait) });
    const run = await stage.job("builds");
    const { id } = await run.asked("approval");
    await stage.shows(run, /❯ 1\. Yes/);
    await stage.press(run, "1");
    await stage.shows(run, /Working…/);
    const status = await resolve(stage, id, 2);
    stage.write({ go: "" });
    await ends("completed")(run);
    assert.equal(run.told("denied").length, 0);
    if (status === 200) assert.deepEqual(await deliveryOf(stage, id), FIRST);
    else assert.equal((await stage.decision(id)).state, "withdrawn"); // it was known already
  });

  it("never counts as delivered if the terminal's answer was a different one", async () => {
    const stage = await agentStage({ asks: plays({ ask: store }) });
    const run = await stage.job("asks");
    const { id } = await run.asked("question");
    await stage.shows(run, /❯ 1\. Postgres/);
    await restart(stage);
    assert.equal(await resolve(stage, id, 1), 200);
    await stage.press(run, "2"); // before our keys, which wait until a dialog accepts some; on a busy machine maybe after them
    await ends("completed")(run);
    const { answers } = run.told("answered")[0] as { answers?: Record<string, string> };
    const expected = answers?.["Which store?"] === "SQLite" ? FIRST : ["acknowledged", null];
    assert.deepEqual(await deliveryOf(stage, id), expected);
  });

  also("is reported when the dialog is gone, and a question about the idle agent follows", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[PUSH]], ignore_keys_ms: 0 } } });
    const run = await stage.job("asks");
    const { id } = await run.asked("approval");
    await stage.shows(run, /❯ 1\. Yes/);
    await restart(stage);
    assert.equal(await resolve(stage, id, 1), 200);
    await stage.press(run, "Escape"); // before our keys, or on a busy machine after them
    const idle = await run.asked("idle");
    const allowed = run.told("allowed").length;
    assert.deepEqual(await deliveryOf(stage, id), allowed === 0 ? FIRST : ["acknowledged", null]);
    await run.answer(idle, "2");
    await ends("completed")(run);
    assert.equal(run.told("allowed").length, allowed, "nothing was pressed afterwards");
  });
});

describe("text that somebody began to type", () => {
  also("is not sent along with an answer, however many lines it has", async () => {
    const stage = await agentStage({ idle: { scenario: { turns: [[{ say: "Hm." }]], otherwise: [DONE] } } });
    const run = await stage.job("idle");
    const decision = await run.asked("idle");
    await stage.press(run, "-l", "delete the");
    await stage.press(run, "C-j");
    await stage.press(run, "-l", "old files");
    await stage.shows(run, /❯ delete the\n {2}old files/);
    await run.answer(decision, "1", "-m", "Go on.");
    await ends("completed", ["Go on."])(run);
  });
});

describe("a newer question of the same agent", () => {
  also("replaces the earlier one, with a link", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[{ say: "Hm." }]] } } });
    const run = await stage.job("asks");
    const first = await run.asked("idle");
    const { code } = await stage.run("agent", "signal", "escalate", "-m", "Which API?", "--agent", run.agent);
    assert.equal(code, 0);
    await stage.until(() =>
      stage.events.some((it) => it.type === "decision:superseded" && it.id === first.id),
    );
    const second = await run.asked("idle");
    assert.match(second.context, /^The agent asks for a person\n[\s\S]*Which API\?/);
    const { state, superseded_by } = await stage.decision(first.id);
    assert.deepEqual([state, superseded_by], ["superseded", second.id]);
    const { stderr } = await stage.run("decision", "resolve", first.id, "1");
    assert.match(stderr, new RegExp(`superseded[\\s\\S]*oj decision show ${second.id}`));
  });

  also("is the one its signal raised, not one about its stopping afterwards", async () => {
    const turn = [{ signal: "escalate", message: "Which API?" }, { say: "I wait." }];
    const stage = await agentStage({ asks: { scenario: { turns: [turn], otherwise: [DONE] } } });
    const run = await stage.job("asks");
    await run.until(() => run.events("agent:idle").length === 1, "the end of the turn");
    const decision = await run.asked("idle");
    assert.match(decision.context, /Which API\?/);
    await run.answer(decision, "1", "-m", "v2");
    await ends("completed", ["v2"])(run);
  });

  it("never replaces a question if it is an approval", async () => {
    const stage = await agentStage({ asks: { scenario: { turns: [[{ ask: store }, DONE]] } } });
    const run = await stage.job("asks");
    const question = await run.asked("question");
    const approval = hook(stage, run, {
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    });
    await stage.run("daemon", "status"); // the hook has had its time
    assert.equal((await stage.decision(question.id)).state, "pending");
    await run.answer(question, "1");
    assert.deepEqual(run.told("answered")[0]?.answers, { "Which store?": "Postgres" });
    await ends("completed")(run);
    await approval;
    await untilTaken(stage, question.id);
  });
});

/** Reports as the agent itself would: on the daemon's port, with its token. */
function hook({ stateDir }: Stage, run: Run, body: object): Promise<string> {
  const port = Number(fs.readFileSync(path.join(stateDir, "port"), "utf8"));
  const token = fs.readFileSync(path.join(stateDir, "agents", run.agent, "token"), "utf8").trim();
  const headers = { "content-type": "application/json", "x-oj-agent-token": token };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { port, host: "127.0.0.1", path: "/hooks/agent", method: "POST", headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve(text));
      },
    );
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });
}
