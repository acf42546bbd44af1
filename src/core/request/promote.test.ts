import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { AgentWorld } from "../../../test/fakes/agents.ts";
import { agentAtWork, approval, crewAtWork, exited, stopped, tail } from "../../../test/fakes/agents.ts";
import type { World } from "../../../test/fakes/core.ts";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import { agentGateEnded } from "../agent/agent.ts";
import type { Decision } from "../model/decision-types.ts";
import { isBlocking } from "../model/decision-types.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { turnEnds } from "../session/turn.ts";
import { promoteAwaited, promoteForSession } from "./promote.ts";
import { requestOnce } from "./request.ts";
import type { Requester, RequestInput } from "./types.ts";

let keys = 0;

/** Asks, without waiting unless it says so. */
function ask(it: World, requester: Requester, more: Partial<RequestInput> = {}): Decision {
  let id = "";
  it.play((state, moment) => {
    const request_key = `key-of-a-request-${keys++}`;
    const given = { wait: false, meanwhile: "the tests", requester, request_key, prompt: "Which logo?" };
    const made = requestOnce(state, requestInput({ ...given, ...more }), moment);
    id = made.id;
    return made.facts;
  });
  return it.state.decisions.get(id as Decision["id"]) as Decision;
}

/** Everything is read again, as after a crash. */
function restarted(it: World): void {
  Object.assign(it.state, decodeState(encodeState(it.state)));
}

const fails = { type: "errored", kind: "other", message: "it broke", tail } as const;
const done = { type: "signalled", signal: "done", message: null, tail } as const;
const gate = { action: "gate", run: "make check" } as const;
const ran = { error: null, output: "", prime: "", tail: "" };

function gateRan(agent: AgentWorld, exit_code: number): void {
  const run_id = agent.agent().gate?.run_id ?? "";
  agent.it.play((state, moment) =>
    agentGateEnded(state, { id: agent.id, run_id, exit_code, ...ran }, moment),
  );
}

/** What an agent does, and why its request is promoted then; null: it isn't. */
const DOES: Record<string, [(agent: AgentWorld) => void, string | null]> = {
  "is at work": [(agent) => agent.seen({ type: "worked" }), null],
  "shows a dialog": [(agent) => agent.seen({ type: "prompted", prompt: approval, tail }), null],
  stops: [(agent) => agent.seen(stopped), "builder has stopped and has nothing else to do"],
  "meets an error": [(agent) => agent.seen(fails), "builder has stopped after an error"],
  dies: [(agent) => agent.seen(exited), "the process of builder has ended"],
  "waits for it": [
    ({ it, pending }) =>
      it.play((state) => promoteAwaited(state, { id: pending().find((one) => one.aside)?.id ?? "dec-" })),
    "builder waits for the answer now",
  ],
  "asks again": [({ it, id }) => ask(it, asker("builder", { agent_id: id }), {}), "builder has asked again"],
  "asks again and waits": [
    ({ it, id }) => ask(it, asker("builder", { agent_id: id }), { wait: true, meanwhile: null }),
    "builder has asked again",
  ],
  "says it is done, and its gate passes": [
    (agent) => {
      agent.seen(done);
      gateRan(agent, 0);
    },
    "builder says it is done",
  ],
  "says it is done, and its gate still runs": [(agent) => agent.seen(done), null],
};

describe("a request that an agent does not wait for", () => {
  for (const [kind, begin] of Object.entries({ job: agentAtWork, crew: crewAtWork }))
    for (const [what, [act, reason]] of Object.entries(DOES))
      for (const isRestarted of [false, true])
        it(`blocks ${reason ? "work" : "nothing"} once the agent of a ${kind} ${what}${isRestarted ? ", after a restart" : ""}`, () => {
          const agent = begin({ on_signal: gate });
          const { id } = ask(agent.it, asker("builder", { agent_id: agent.id }));
          assert.equal(isBlocking(agent.decision(id)), false);
          assert.equal(agent.job()?.status ?? agent.crew()?.status, "running");
          if (isRestarted) restarted(agent.it);
          act(agent);
          if (isRestarted) restarted(agent.it);
          const decision = agent.decision(id);
          assert.equal(decision.state, "pending");
          assert.equal(decision.promoted?.reason ?? null, reason);
          assert.equal(isBlocking(decision), reason !== null);
          assert.equal(agent.pending().filter((one) => one.source === "request").length, 1);
        });

  it("is no excuse for silence", () => {
    const agent = agentAtWork();
    ask(agent.it, asker("builder", { agent_id: agent.id }));
    agent.seen({ type: "hung", quiet_ms: 600_000, tail });
    assert.deepEqual(
      agent.pending().map((one) => one.title),
      ["Which logo?", "Hung: no output and no report for 10 minutes"],
    );
  });

  it("makes the job wait once it has stopped, and its answer is told as any other", () => {
    const agent = agentAtWork();
    const { id } = ask(agent.it, asker("builder", { agent_id: agent.id }));
    agent.seen(stopped);
    assert.equal(agent.job()?.status, "waiting");
    agent.answer(null, { choices: [[1]] });
    assert.equal(agent.job()?.status, "running");
    assert.match(agent.deliver().text, /\(Which logo\?\) was answered by ana: /);
    assert.equal(agent.decision(id).delivery.state, "delivered");
  });

  it("goes on when its runbook restarts it", () => {
    const agent = agentAtWork({ on_dead: { action: "resume" } });
    const { id } = ask(agent.it, asker("builder", { agent_id: agent.id }));
    agent.seen(exited);
    assert.equal(agent.decision(id).promoted, undefined);
  });

  it("blocks from the beginning if the agent stands still when it is asked", () => {
    const agent = agentAtWork();
    agent.seen(stopped);
    const decision = ask(agent.it, asker("builder", { agent_id: agent.id }));
    assert.equal(decision.promoted?.reason, "builder has stopped and has nothing else to do");
  });
});

describe("a request that others don't wait for", () => {
  const ASKERS: Record<string, Requester> = {
    "a name": asker("bot"),
    "a session": asker("session-s1", { session: "s1" }),
    "a session that no hook has reported yet": asker("ana", { is_agent: false, claimed_session: "s1" }),
    "a person": asker("ana", { is_agent: false }),
  };
  const ACTS: Record<string, (it: World, id: Decision["id"], requester: Requester) => void> = {
    "waits for it": (it, id) => it.play((state) => promoteAwaited(state, { id })),
    "asks again": (it, _, requester) => ask(it, requester),
    "ends its turn": (it) => it.play((state) => turnEnds(state, "s1")),
    ends: (it) => it.play((state) => promoteForSession(state, "s1", "the session has ended")),
  };
  const NOT = {
    "a name": ["ends its turn", "ends"],
    "a session": [],
    // several requests of a person are several decisions
    "a session that no hook has reported yet": ["asks again"],
    "a person": ["ends its turn", "ends", "asks again"],
  } as Record<string, string[]>;

  for (const [who, requester] of Object.entries(ASKERS))
    for (const [what, act] of Object.entries(ACTS)) {
      const isPromoted = !NOT[who]?.includes(what);
      it(`is ${isPromoted ? "" : "not "}promoted when ${who} ${what}, also after a restart`, () => {
        const it = world();
        const { id } = ask(it, requester);
        assert.equal(isBlocking(it.state.decisions.get(id) as Decision), false);
        restarted(it);
        act(it, id, requester);
        restarted(it);
        const decision = it.state.decisions.get(id) as Decision;
        assert.equal(isBlocking(decision), isPromoted);
        const again = encodeState(it.state);
        act(it, id, asker("somebody else"));
        if (isPromoted && what !== "asks again") assert.equal(encodeState(it.state), again);
      });
    }

  it("keeps what was promoted promoted, however often it is asked aside", () => {
    const it = world();
    const first = ask(it, asker("bot"));
    const before = ask(it, asker("bot"));
    assert.equal(before.id, first.id);
    assert.equal(before.count, 2);
    const after = ask(it, asker("bot"));
    assert.deepEqual(after.promoted, before.promoted);
  });

  it("is not promoted by a request that is only sent again", () => {
    const it = world();
    const request_key = "the-same-request-key";
    const { id } = ask(it, asker("bot"), { request_key });
    assert.equal(ask(it, asker("bot"), { request_key }).id, id);
    assert.equal(it.state.decisions.get(id)?.promoted, undefined);
  });

  it("stays blocking if it was asked to be waited for", () => {
    const it = world();
    const { id } = ask(it, asker("bot"), { wait: true, meanwhile: null });
    ask(it, asker("bot"));
    assert.equal(isBlocking(it.state.decisions.get(id) as Decision), true);
  });

  it("blocks work from the beginning if it names some", () => {
    const it = world();
    assert.equal(isBlocking(ask(it, asker("bot"), { blocks: ["ticket-7"] })), true);
  });
});

describe("what goes on meanwhile", () => {
  for (const [what, more, message] of [
    [
      "is too long",
      { meanwhile: "x".repeat(501) },
      "--meanwhile has 501 characters; at most 500 are allowed",
    ],
    ["is empty", { meanwhile: " " }, "--meanwhile is empty"],
    ["is told by who waits", { wait: true }, "--meanwhile needs --no-wait: nothing goes on while you wait"],
  ] as const)
    it(`is refused if it ${what}, with the right command`, () => {
      assert.throws(() => ask(world(), asker("bot"), more), {
        code: "decision.invalid",
        message: `the request was refused: ${message}`,
        hint: 'oj decision request … --no-wait --meanwhile "what goes on meanwhile"',
      });
    });

  it("is kept as it was said, up to 500 characters", () => {
    const words = "y".repeat(500);
    assert.deepEqual(ask(world(), asker("bot"), { meanwhile: words }).aside, { meanwhile: words });
    assert.deepEqual(ask(world(), asker("bot"), { meanwhile: null }).aside, { meanwhile: null });
  });
});
