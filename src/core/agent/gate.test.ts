import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { AgentWorld } from "../../../test/fakes/agents.ts";
import { agentAtWork, approval, due, exited, stopped, tail } from "../../../test/fakes/agents.ts";
import { asker } from "../../../test/fakes/core.ts";
import { answer, asked } from "../../../test/fakes/requests.ts";
import { sendToAgent } from "../control/agent-send.ts";
import type { Trigger } from "../model/runbook.ts";
import { replay } from "../model/state/state.ts";
import { encodeState } from "../model/state/state-text.ts";
import { owed } from "../owed.ts";
import { contextParts } from "../text/quote.ts";
import { agentCooled, agentGateEnded } from "./agent.ts";

const ended = (made: AgentWorld, exit_code: number) => {
  const { it: w, id, agent } = made;
  const run_id = agent().gate?.run_id ?? "";
  w.play((state, moment) =>
    agentGateEnded(
      state,
      { id, run_id, exit_code, error: null, output: "1 failing", prime: "Before you finish", tail },
      moment,
    ),
  );
};
const done = { type: "signalled", signal: "done", message: null, tail } as const;

describe("a gate", () => {
  const gate = { on_signal: { action: "gate", run: "npm test", attempts: 1 } } as const;
  it("that passes completes the step", () => {
    const made = agentAtWork(gate);
    made.seen(done);
    assert.deepEqual(due(made.it.state), ["run-gate"]);
    ended(made, 0);
    assert.equal(made.job()?.step, "after");
  });

  it("that passes while the agent's own request is pending leaves both to the person", () => {
    const made = agentAtWork(gate);
    const { it: w, id } = made;
    const request = asked(w, { project: "shop", requester: asker("builder", { agent_id: id }) });
    made.seen(done);
    ended(made, 0);
    assert.equal(made.job()?.step, "build");
    assert.equal(w.state.decisions.get(request.id)?.state, "pending");
    assert.equal(made.job()?.status, "waiting");
    answer(w, request.id, 1, "go on");
    assert.match(made.agent().outbox[0]?.text ?? "", /go on/);
    assert.equal(made.job()?.status, "running");
    assert.equal(encodeState(replay(w.events)), encodeState(w.state));
  });

  it("that passes while the answer is on its way waits until the agent has it", () => {
    const made = agentAtWork(gate);
    const { it: w, id } = made;
    const request = asked(w, { project: "shop", requester: asker("builder", { agent_id: id }) });
    made.seen(done);
    answer(w, request.id, 1, "go on");
    ended(made, 0);
    assert.equal(made.job()?.step, "build");
    made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "" });
    made.seen(done);
    ended(made, 0);
    assert.equal(made.job()?.step, "after");
  });

  it.each(["on_idle", "on_signal"] as const)(
    "that passes while words of a person wait lets the agent hear them first: %s",
    (trigger) => {
      const made = agentAtWork({ [trigger]: gate.on_signal });
      const { it: w, id } = made;
      if (trigger === "on_signal") made.seen(done);
      made.seen(stopped);
      w.play((state, moment) => sendToAgent(state, { id, text: "Also the changelog." }, moment));
      ended(made, 0);
      assert.deepEqual([made.job()?.step, due(w.state)], ["build", ["deliver"]]);
      made.deliver();
      made.seen({ type: "submitted", text: "Also the changelog." });
      made.seen(trigger === "on_signal" ? done : stopped);
      ended(made, 0);
      assert.equal(made.job()?.step, "after");
    },
  );

  it("that fails leaves it to the person who is asked about the agent's death", () => {
    const made = agentAtWork({ on_idle: gate.on_signal });
    made.seen(stopped);
    made.seen(exited);
    const [asked] = made.pending();
    ended(made, 1);
    assert.deepEqual([made.pending(), made.agent().outbox, due(made.it.state)], [[asked], [], []]);
    made.answer("retry");
    assert.deepEqual(due(made.it.state), ["start-agent"]);
  });

  it("can ask at its first failure", () => {
    const made = agentAtWork({ on_signal: { action: "gate", run: "npm test", attempts: 0 } });
    made.seen(done);
    ended(made, 1);
    assert.equal(made.pending()[0]?.source, "gate");
    assert.deepEqual(made.agent().outbox, []);
  });

  it("that fails sends the agent back with its output and the prime text, within bounds, then asks", () => {
    const made = agentAtWork(gate);
    made.seen(done);
    made.seen(stopped);
    assert.deepEqual(made.pending(), []);
    ended(made, 1);
    assert.match(made.agent().outbox[0]?.text ?? "", /npm test[\s\S]*1 failing[\s\S]*Before you finish/);
    made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "" });
    made.seen(done);
    ended(made, 1);
    const [decision] = made.pending();
    assert.equal(decision?.source, "gate");
    assert.deepEqual(
      decision?.options.map((it) => it.label),
      ["Retry", "Skip", "Cancel"],
    );
    assert.match(
      decision?.context ?? "",
      /exit code 1[\s\S]*1 failing[\s\S]*Tried before asking: gate once[\s\S]*line 2/,
    );
    made.answer("retry");
    assert.equal(made.agent().outbox.length, 1);
    made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "" });
    made.seen(done);
    assert.deepEqual(due(made.it.state), ["run-gate"]);
  });
});

describe("a gate that has failed before", () => {
  const gate = { on_signal: { action: "gate", run: "npm test\nnpm run lint", attempts: 2 } } as const;
  const fails = (made: AgentWorld, output: string, changes: object | null) => {
    const { it: w, id, agent } = made;
    const base = {
      id,
      run_id: agent().gate?.run_id ?? "",
      exit_code: 1,
      error: null,
      output,
      prime: "",
      tail,
    };
    w.play((state, moment) => agentGateEnded(state, { ...base, changes: changes as never }, moment));
    const told = agent().outbox[0]?.text;
    if (told !== undefined) made.seen({ type: "submitted", text: told });
  };
  const asked = (trees: string[]) => {
    const made = agentAtWork(gate);
    for (const [n, tree] of trees.entries()) {
      made.seen(done);
      fails(made, `boring\nTypeError: ${n}`, { tree, stat: ` a.js | ${n} +`, diff: `+${n}` });
    }
    assert.equal(encodeState(replay(made.it.events)), encodeState(made.it.state));
    return contextParts(made.pending()[0]?.context ?? "").flatMap((it) =>
      "name" in it ? [[it.name, it.text]] : [],
    );
  };

  it("says how it failed before, and what changed since the last attempt", () => {
    assert.deepEqual(asked(["t0", "t1", "t2"]).slice(0, 5), [
      ["gate", "boring\nTypeError: 2"],
      ["script", "npm test\nnpm run lint"],
      ["attempts", "6 seconds earlier, exit code 1: TypeError: 0\njust before, exit code 1: TypeError: 1"],
      ["changed", " a.js | 2 +"],
      ["changes", "+2"],
    ]);
  });

  it("says that nothing changed since the last attempt", () => {
    const made = agentAtWork({ on_signal: { ...gate.on_signal, attempts: 1 } });
    for (const n of [0, 1]) {
      made.seen(done);
      fails(made, `no ${n}`, { tree: "same", stat: "", diff: "" });
    }
    const { context } = made.pending()[0] ?? { context: "" };
    assert.match(context, /^The gate failed: npm test … \(2 lines\)\nexit code 1\nAgent builder /);
    assert.match(context, /\n\nNothing in its folder has changed since the last attempt\.\n\n/);
  });

  it("does not show again what the agent's screen repeats of its output", () => {
    const made = agentAtWork({ on_signal: { ...gate.on_signal, run: "npm test", attempts: 0 } });
    const output = "ok 1\nok 2\nnot ok 3 - tax";
    made.seen(done);
    const { id, agent, it: w } = made;
    const shown = "● Sorry.\n❯ Not done yet\n\n  ok 1\n  ok 2\n\n  not ok 3 - tax\n\n● ok 1";
    const base = { id, run_id: agent().gate?.run_id ?? "", exit_code: 1, error: null, output, prime: "" };
    w.play((state, moment) => agentGateEnded(state, { ...base, tail: shown }, moment));
    const { context } = made.pending()[0] ?? { context: "" };
    assert.match(
      context,
      /output:\n> ● Sorry\.\n> ❯ Not done yet\n> {3}… 6 lines that the gate printed\n> ● ok 1$/,
    );
  });

  it("still knows after a person's Retry what it is compared with", () => {
    const made = agentAtWork({ on_signal: { ...gate.on_signal, attempts: 0 } });
    for (const tree of ["t0", "t1"]) {
      made.seen(done);
      fails(made, "no", { tree, stat: ` since ${tree}`, diff: "" });
      if (tree === "t0") made.answer("retry");
      const told = made.agent().outbox[0]?.text;
      if (told !== undefined) made.seen({ type: "submitted", text: told });
    }
    assert.match(made.pending()[0]?.context ?? "", /What changed since the last attempt:\n> {2}since t1\n/);
  });
});

describe("a gate with a cooldown", () => {
  const COOLDOWN_MS = 60_000;
  const gate = { action: "gate", run: "npm test", attempts: 2, cooldown_ms: COOLDOWN_MS } as const;
  const cooled = ({ it: w, id }: AgentWorld) => w.play((state, moment) => agentCooled(state, { id }, moment));

  /** The gate has failed once, and the agent was told and says again that it is done. */
  function doneAgain(on_signal: Trigger = gate): AgentWorld {
    const made = agentAtWork({ on_signal });
    made.seen(done);
    ended(made, 1);
    made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "" });
    made.seen(done);
    return made;
  }

  it("runs at once the first time, and then only when the cooldown after its end has passed", () => {
    const made = doneAgain();
    assert.deepEqual(due(made.it.state), ["wake-agent"]);
    const failedAt = made.it.events.findLast((it) => it.type === "agent:gated")?.at_ms ?? 0;
    assert.equal(made.agent().cooling?.until_ms, failedAt + COOLDOWN_MS);
    cooled(made);
    assert.deepEqual(due(made.it.state), ["run-gate"]);
    assert.equal(made.agent().cooling, null);
  });

  it("waits after a run that was not counted, too: its attempts were used up, and the agent carried on by itself", () => {
    const made = agentAtWork({ on_signal: { ...gate, attempts: 1 } });
    for (let run = 1; run <= 2; run++) {
      made.seen(done);
      if (run === 2) cooled(made);
      ended(made, 1);
      made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "typed in the terminal" });
    }
    assert.deepEqual(made.pending(), []);
    made.seen(done);
    const ends = made.it.events.filter((it) => it.type === "agent:gated").map((it) => it.at_ms);
    assert.equal(ends.length, 2);
    assert.equal(made.agent().cooling?.until_ms, (ends[1] ?? 0) + COOLDOWN_MS);
  });

  it("asks nobody meanwhile: neither when the turn ends nor when the agent signals again", () => {
    const made = doneAgain();
    made.seen(stopped);
    made.seen(done);
    assert.deepEqual(made.pending(), []);
    assert.deepEqual(due(made.it.state), ["wake-agent"]);
  });

  it("is called off if the agent goes on by itself, or if a person is asked after all", () => {
    const one = doneAgain();
    one.seen(stopped);
    one.seen({ type: "submitted", text: "typed in the terminal" });
    cooled(one);
    assert.equal(one.agent().gate, null);
    const other = doneAgain();
    other.seen({ type: "signalled", signal: "escalate", message: null, tail });
    cooled(other);
    assert.equal(other.agent().gate, null);
    assert.equal(other.pending().length, 1);
  });

  it("runs at once after a person's Retry", () => {
    const made = doneAgain({ ...gate, attempts: 1 });
    cooled(made);
    ended(made, 1);
    made.answer("retry");
    made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "" });
    made.seen(done);
    assert.deepEqual(due(made.it.state), ["run-gate"]);
  });

  it("pauses even without one, after ten attempts", () => {
    const made = agentAtWork({ on_signal: { action: "gate", run: "npm test", attempts: "forever" } });
    for (let n = 0; n < 12; n++) {
      made.seen(done);
      assert.equal(made.agent().cooling, null, `attempt ${n}`);
      ended(made, 1);
      made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "" });
    }
    made.seen(done);
    assert.deepEqual(due(made.it.state), ["wake-agent"]);
  });

  it("keeps its count and its time across a restart", () => {
    const made = doneAgain();
    const restarted = replay(JSON.parse(JSON.stringify(made.it.events)));
    assert.equal(encodeState(restarted), encodeState(made.it.state));
    assert.deepEqual(owed(restarted), owed(made.it.state));
  });
});

describe("a gate of one kind of error", () => {
  it("has the attempts and the message of its own entry, even if the error is over before it has run", () => {
    const made = agentAtWork({
      on_error: [
        { match: "rate_limited", action: "gate", run: "quota", attempts: 2, message: "No quota." },
        { action: "escalate" },
      ],
    });
    for (let n = 1; n <= 2; n++) {
      made.seen({ type: "errored", kind: "rate_limited", message: "429", tail });
      made.seen({ type: "submitted", text: "typed in the terminal" });
      ended(made, 1);
      assert.match(made.agent().outbox[0]?.text ?? "", /^No quota\./);
      made.seen({ type: "submitted", text: made.agent().outbox[0]?.text ?? "" });
    }
    assert.deepEqual(made.pending(), []);
    assert.equal(made.agent().attempts["on_error:rate_limited"]?.used, 2);
  });
});

it("a gate's message is filled in, and told as it is if a value is missing", () => {
  for (const [message, told] of [
    ["${agent.name} of ${job.name}: not yet.", "builder of work: not yet."],
    ["Still no ${var.nothing}.", "Still no ${var.nothing}."],
  ] as const) {
    const made = agentAtWork({ on_signal: { action: "gate", run: "npm test", message } });
    made.seen(done);
    ended(made, 1);
    assert.equal(made.agent().outbox[0]?.text.split("\n")[0], told);
  }
});

describe("a gate of a dialog", () => {
  const gated = () => {
    const made = agentAtWork({ on_prompt: { action: "gate", run: "allowed", cooldown_ms: 60_000 } });
    made.seen({ type: "prompted", prompt: approval, tail });
    return made;
  };

  it("that fails asks about the dialog, which no message would reach, and says why", () => {
    const made = gated();
    ended(made, 1);
    const [decision] = made.pending();
    assert.equal(decision?.source, "approval");
    assert.deepEqual(decision?.action?.input, approval.input);
    assert.match(
      decision?.context ?? "",
      /builder wants to use Bash: rm x\nThe gate failed: allowed\nexit code 1/,
    );
    assert.match(decision?.context ?? "", /> 1 failing/);
    made.answer("approve");
    assert.deepEqual(made.agent().outbox[0]?.reply, { type: "approve", message: null });
  });

  it("that waits for its cooldown is called off when the dialog closes", () => {
    const made = gated();
    ended(made, 1);
    made.seen({ type: "answered", key: approval.key });
    made.seen({ type: "prompted", prompt: { ...approval, key: "tool-9" }, tail });
    assert.equal(made.agent().cooling?.trigger, "on_prompt");
    assert.deepEqual(made.pending(), []);
    made.seen({ type: "closed", key: "tool-9", tail });
    assert.equal(made.agent().cooling, null);
    assert.equal(made.pending()[0]?.source, "idle");
  });
});
