import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { agentStage } from "../support/agents.ts";
import { ends, giveEach, labels } from "../support/answers.ts";

const SAYS_DONE = [{ say: "I believe that is it." }, { signal: "done" }];

describe("an agent whose gate fails", () => {
  it("is sent back once with the output, then a person is asked, with command, exit code and output", async () => {
    const gate = `n=$(cat n-$OJ_AGENT 2>/dev/null || echo 0); echo $((n+1)) > n-$OJ_AGENT; echo "run $n: 2 of 9 tests fail" >&2; [ $n -ge 2 ]`;
    const stage = await agentStage({
      gated: {
        scenario: { turns: [SAYS_DONE] },
        more: `on_signal = { action = "gate", run = ${JSON.stringify(gate)} }`,
      },
    });
    const FAILED = `A check failed: $ ${gate} exit code 1 run 1: 2 of 9 tests fail`;
    const back = ["Not done yet: this check failed.", `$ ${gate}`, "exit code 1", "run 0: 2 of 9 tests fail"];
    await giveEach(
      stage,
      "gated",
      "gate",
      (decision, run) => {
        assert.deepEqual(labels(decision), ["Retry★", "Skip", "Cancel"]);
        assert.ok(decision.context.startsWith(`The gate failed: ${gate}\n`), decision.context);
        assert.match(decision.title, /^Gate failed \(exit code 1\): n=/);
        assert.match(decision.context, /\nexit code 1\n/);
        assert.match(decision.context, /What the gate printed:\n> run 1: 2 of 9 tests fail\n/);
        assert.match(decision.context, /Tried before asking: gate once \(on_signal\)/);
        assert.deepEqual(normal(run.heard()), [back.join(" ")]);
      },
      [
        {
          words: ["1", "-m", "Both tests, please."],
          effect: (run) => passes(run, `${FAILED} Both tests, please.`),
        },
        { words: ["-m", "Look again."], effect: (run) => passes(run, `${FAILED} Look again.`) },
        {
          words: ["1"],
          effect: (run) => passes(run, `${FAILED} Please fix it, then say again that you are done.`),
        },
        {
          words: ["2"],
          effect: (run) =>
            ends(
              "completed",
              run.heard().map((it) => it.trim()),
            )(run),
        },
        {
          words: ["3"],
          effect: (run) =>
            ends(
              "cancelled",
              run.heard().map((it) => it.trim()),
            )(run),
        },
      ],
      "● I believe that is it.",
    );
  });
});

describe("a gate that fails again and again", () => {
  it("leads with what failed, what failed before, and what changed in between", async () => {
    const gate = [
      "n=$(cat tries 2>/dev/null || echo 0); echo $((n+1)) > tries",
      "for i in $(seq 400); do echo ok $i - fine; done",
      "echo not ok $n - adds tax >&2; echo; for i in $(seq 20); do echo done $i; done; exit 3",
    ].join("\n");
    const stage = await agentStage({
      gated: {
        scenario: { turns: [SAYS_DONE], otherwise: SAYS_DONE },
        more: `on_signal = { action = "gate", run = ${JSON.stringify(gate).replaceAll("$", "$$")}, attempts = 1 }`,
      },
    });
    execFileSync("git", ["init", "--quiet"], { cwd: stage.dir });
    const { context } = await (await stage.job("gated")).asked("gate");
    assert.match(context, /^The gate failed: n=.* … \(3 lines\)\nexit code 3\n/);
    const [, printed = ""] = /What the gate printed:\n([\s\S]*?)\n\n/.exec(context) ?? [];
    assert.match(printed, /^> … \d+ lines left out\n(?:> ok \d+ - fine\n){1,3}> not ok 1 - adds tax\n/);
    assert.match(printed, /\n> done 20$/);
    assert.ok(printed.split("\n").length < 40, printed);
    assert.match(context, /Earlier attempts:\n> .*, exit code 3: not ok 0 - adds tax\n/);
    assert.match(context, /What changed since the last attempt:\n> {2}tries \| 2 \+-\n/);
    assert.match(context, /The changes themselves:\n> diff --git a\/tries b\/tries\n[\s\S]*> -1\n> \+2\n/);
  });
});

describe("a gate that still runs", () => {
  it("is ended with its job, before the job's folder goes", async () => {
    const gate = `trap 'sleep 1; echo late > late; exit 1' TERM; echo $$ > ${"$"}{invoke.dir}/gate; sleep 600 & wait`;
    const more = `on_idle = { action = "gate", run = ${JSON.stringify(gate)} }`;
    const stage = await agentStage(
      { gated: { scenario: { turns: [[{ say: "I have finished." }]] }, more } },
      {
        runbook: `
        command "foldered" { run = { job = "foldered" } }
        job "foldered" { workspace = "folder"  step "work" { run = { agent = "gated" } } }`,
      },
    );
    const run = await stage.job("foldered");
    const pid = await stage.until(
      () => fs.readFileSync(path.join(stage.dir, "gate"), "utf8").trim(),
      "the gate runs",
    );
    assert.equal((await stage.run("job", "cancel", run.owner)).code, 0);
    assert.equal(await run.ended(), "cancelled");
    assert.ok(!fs.existsSync(`/proc/${pid}`));
    const workspaces = path.join(stage.stateDir, "workspaces");
    await stage.until(() => fs.readdirSync(workspaces).length === 0, "its folder is gone");
  });
});

/** The agent was told so, said again that it is done, and the gate, run again, let it pass. */
async function passes(run: Parameters<ReturnType<typeof ends>>[0], told: string | RegExp): Promise<void> {
  assert.equal(await run.ended(), "completed");
  const [, last = ""] = normal(run.heard());
  if (typeof told === "string") assert.equal(last, told);
  else assert.match(last, told);
  assert.deepEqual(
    run.events("agent:gated").map((it) => it.passed),
    [false, false, true],
  );
}

function normal(texts: string[]): string[] {
  return texts.map((it) => it.replace(/\s+/g, " ").trim());
}
