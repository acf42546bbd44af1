import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, stepLine, world } from "../../../test/fakes/core.ts";
import { answer } from "../../../test/fakes/requests.ts";
import { resumeJob } from "../control/job.ts";
import { resolveDecision } from "../decision/give.ts";
import { owed } from "../owed.ts";
import { consequence } from "../template/options.ts";

const by = "ana";

describe("a decision step", () => {
  const def = jobDef({
    plan: {},
    ask: {
      decision: {
        options: [
          { key: "go" },
          { key: "again", step: "plan" },
          { key: "stop", action: "cancel" },
          { key: "bad", action: "fail" },
          { key: "later", action: "dismiss" },
        ],
      },
    },
    build: { run: "echo ${decision.ask.choice} ${decision.ask.message}" },
  });
  const asked = () => {
    const it = world();
    const id = it.start(def);
    it.shell(id);
    return { it, id, decision: it.pending()[0] ?? "" };
  };

  it("waits, and continues with the choice and the message", () => {
    const { it, id, decision } = asked();
    assert.equal(it.job(id).status, "waiting");
    answer(it, decision, 1, "now");
    assert.equal(it.job(id).step, "build");
    const [effect] = owed(it.state);
    assert.deepEqual(effect?.type === "run-shell" && Object.values(effect.values), ["go", "now"]);
    assert.equal(it.state.decisions.get(decision as never)?.delivery.state, "acknowledged");
  });

  it("hands on both a text and a message", () => {
    const { it, id, decision } = asked();
    const given = { choices: [[1]], text: "Not on Friday.", message: "now", by, via: "cli" } as const;
    it.play((state, moment) => resolveDecision(state, { ...given, id: decision }, moment));
    assert.equal(it.job(id).steps[1]?.choice?.message, "Not on Friday.\n\nnow");
  });

  it("goes back to the option's step", () => {
    const { it, id, decision } = asked();
    answer(it, decision, 2);
    assert.equal(stepLine(it.job(id)), "plan:running ask:pending build:pending");
  });

  it("cancels, fails or keeps waiting, as the option says", () => {
    for (const [choice, status] of [
      [3, "cancelled"],
      [4, "failed"],
      [5, "waiting"],
    ] as const) {
      const { it, id, decision } = asked();
      answer(it, decision, choice);
      assert.equal(it.job(id).status, status);
    }
  });

  it("asks a dismissed question again when the job is resumed", () => {
    const { it, id, decision } = asked();
    answer(it, decision, 5);
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    assert.equal(it.pending().length, 1);
    assert.notEqual(it.pending()[0], decision);
  });

  it("keeps how its job will end when it is asked again, and says it again", () => {
    const it = world();
    const prompt = "It failed: ${job.error}. What now?";
    const later = { key: "later", action: "dismiss" } as const;
    const ask = { decision: { prompt, options: [{ key: "leave" }, later] } };
    const id = it.start(jobDef({ deploy: { on_fail: { step: "ask" } }, ask }));
    it.shell(id, 3);
    answer(it, it.pending()[0] ?? "", 2);
    it.play((state, moment) => resumeJob(state, { id, by, message: null }, moment));
    const again = it.state.decisions.get(it.pending()[0] as never);
    assert.equal(again?.title, "It failed: exit code 3. What now?");
    answer(it, again?.id ?? "", 1);
    assert.deepEqual([it.job(id).status, it.job(id).error], ["failed", "exit code 3"]);
    assert.equal(stepLine(it.job(id)), "deploy:failed ask:completed");
  });

  it("shows a failed context command instead of hiding it", () => {
    const it = world();
    const id = it.start(jobDef({ ask: { decision: { context: "cat plan.md" } } }));
    assert.equal(it.pending().length, 0);
    it.shell(id, 1, "half a plan");
    const [decision] = it.state.decisions.values();
    assert.match(decision?.context ?? "", /The context command failed: exit code 1\n\nhalf a plan/);
  });

  it("fails if its template's context is missing, and leaves no decision behind", () => {
    const it = world();
    const template = {
      name: "t",
      required_context: [{ key: "progress" }],
      options: [{ key: "go" }],
      path: "",
      line: 1,
    };
    const id = it.start(jobDef({ ask: { decision: { template: "t", options: [] } } }), {
      library: { jobs: {}, agents: {}, templates: { t: template } },
    });
    assert.equal(it.job(id).status, "failed");
    assert.match(it.job(id).error ?? "", /"progress" is missing/);
    assert.equal(it.state.decisions.size, 0);
  });
});

it("an option of a step that a failure led to says that the job ends, unless the step goes on", () => {
  const options = [
    { key: "ignore" },
    { key: "again", step: "a" },
    { key: "stop", action: "cancel" as const },
  ];
  const effects = (more: object) => {
    const it = world();
    const ask = { decision: { options }, ...more };
    const id = it.start(jobDef({ a: { on_fail: { step: "ask" } }, b: {}, ask }));
    it.shell(id, 1);
    const decision = it.pending()[0] ?? "";
    const found = it.state.decisions.get(decision as never)?.options ?? [];
    const said = found.map(({ action }) => consequence(action, "job"));
    answer(it, decision, 1);
    return [...said, it.job(id).status];
  };
  const others = ['the job goes to step "a"', "cancels the job"];
  assert.deepEqual(effects({}), ["the job ends as failed", ...others, "failed"]);
  assert.deepEqual(effects({ on_done: { step: "b" } }), ["the job continues", ...others, "running"]);
});
