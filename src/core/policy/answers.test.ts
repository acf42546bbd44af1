import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, tail } from "../../../test/fakes/agents.ts";
import { asker, jobDef, jobInput, requestInput, world } from "../../../test/fakes/core.ts";
import { readPolicies } from "../../runbook/policies.ts";
import { agentGateEnded } from "../agent/agent.ts";
import { startJob } from "../control/job.ts";
import type { State } from "../model/state/state.ts";
import { requestDecision } from "../request/request.ts";
import { askStop } from "../session/stop.ts";
import { acceptFiles } from "./accept.ts";
import type { Look } from "./files.ts";
import { underPolicies, underStandingPolicies } from "./ruling.ts";

const FILE = "/shop/.oj/runbooks/policy.hcl";

function looking(hcl: string, said = ""): Look {
  const file = { path: FILE, text: hcl, personal: null, ...readPolicies(FILE, hcl) };
  assert.deepEqual(file.problems, []);
  return {
    files: [file],
    call: null,
    place: { cwd: "/", workspace: null, home: null, real: new Map() },
    said,
  };
}

const accepted = (it: Pick<ReturnType<typeof world>, "play">, { files }: Look) =>
  it.play((state) => acceptFiles(state, { project: "shop", files, by: "ana" }));

const states = (state: State) =>
  [...state.decisions.values()].map((it) => [it.source, it.state, it.answer?.via ?? null]);

const ship = (match: string) =>
  `policy "ship" {\n answer = { source = "step", title = "Ship *", ${match} }\n}`;

describe("a policy that answers", () => {
  const steps = jobDef({
    first: { decision: { prompt: "Ship one?", options: [{ key: "yes" }, { key: "no" }] } },
    second: { decision: { prompt: "Ship two?", options: [{ key: "yes" }, { key: "no" }] } },
    third: { decision: { prompt: "Pay?", options: [{ key: "yes" }] } },
  });
  const begun = (look: Look, isAccepted = true) => {
    const it = world();
    if (isAccepted) accepted(it, look);
    it.play((state, moment) =>
      underStandingPolicies(
        state,
        startJob(state, { ...jobInput(steps), project: "shop", id: "job-1" }, moment),
        () => look,
        moment,
      ),
    );
    return it;
  };

  it("takes a job through its questions in one turn, up to the one that no policy is about", () => {
    const { state } = begun(looking(ship('option = "yes"')));
    assert.deepEqual(states(state), [
      ["step", "resolved", "policy"],
      ["step", "resolved", "policy"],
      ["step", "pending", null],
    ]);
    assert.equal(state.jobs.get("job-1")?.step, "third");
  });

  it("answers no step before it was accepted, past its bound, or with an option that isn't there", () => {
    const [first, ...rest] = states(begun(looking(ship('option = "yes"')), false).state);
    assert.deepEqual([first, rest], [["step", "pending", null], []]);
    const once = looking(ship('option = "yes"').replace("\n}", '\n at_most = "1/h"\n}'));
    const bounded = [...begun(once).state.decisions.values()];
    assert.deepEqual(
      bounded.map((it) => it.state),
      ["resolved", "pending"],
    );
    assert.match(bounded[1]?.context ?? "", /Policy "ship" .*at_most 1\/h/);
    assert.deepEqual(states(begun(looking(ship('option = "maybe"'))).state), [["step", "pending", null]]);
  });

  it("sends an agent back when its gate has failed", () => {
    const look = looking(
      'policy "again" {\n answer = { source = "gate", title = "Gate failed*", option = "retry" }\n}',
    );
    const made = agentAtWork({ on_signal: { action: "gate", run: "npm test", attempts: 0 } });
    accepted(made.it, look);
    made.seen({ type: "signalled", signal: "done", message: null, tail });
    const ended = { exit_code: 1, error: null, output: "1 failing", prime: "", tail };
    const run_id = made.agent().gate?.run_id ?? "";
    made.it.play((state, moment) =>
      underStandingPolicies(
        state,
        agentGateEnded(state, { id: made.id, run_id, ...ended }, moment),
        () => look,
        moment,
      ),
    );
    assert.deepEqual(made.pending(), []);
    assert.equal(made.agent().outbox.length, 1);
  });

  const request = 'policy "npm" {\n answer = { source = "request", question = "Which *", option = "npm" }\n}';
  const asked = (more: object) => {
    const it = world();
    const look = looking(request);
    accepted(it, look);
    const job = it.start(jobDef({ ask: { decision: {} } }));
    const input = requestInput({
      project: "shop",
      requester: asker("bot"),
      prompt: "Which package manager?",
      options: [
        { label: "npm", description: null },
        { label: "yarn", description: null },
      ],
      ...more,
    });
    const blocks = "blocks" in more ? [job] : [];
    it.play((state, moment) =>
      underPolicies(state, requestDecision(state, { ...input, blocks }, moment), look, moment),
    );
    return [...it.state.decisions.values()].at(-1);
  };

  it("answers a request, but none that holds up other work", () => {
    assert.deepEqual([asked({})?.state, asked({})?.answer?.labels], ["resolved", ["npm"]]);
    assert.equal(asked({ blocks: true })?.state, "pending");
    assert.equal(asked({ prompt: "How?" })?.state, "pending");
  });

  for (const [what, option, message, words] of [
    ["with the usual words", "nudge", "", "Please continue with your task."],
    ["with its own words", "nudge", 'message = "Yes."', "Yes."],
    ["by a reply", "reply", 'message = "Yes."', "Yes."],
    ["never without words", "reply", "", null],
  ] as const)
    it(`tells a session that has stopped to continue: ${what}`, () => {
      const it = world();
      const said = "All is well.\nShall I continue?";
      const look = looking(
        `policy "go on" {\n answer = { source = "idle", said = "*Shall I continue?", option = "${option}" }\n ${message}\n}`,
        said,
      );
      accepted(it, look);
      const from = { session: "s1", cwd: "/shop", client: null, project: "shop" };
      it.play((state, moment) =>
        underPolicies(
          state,
          askStop(state, from, { last_message: said, isHeld: true, hears: true }, moment),
          look,
          moment,
        ),
      );
      const [stop] = [...it.state.decisions.values()];
      assert.deepEqual([stop?.state, stop?.answer?.message ?? null], [words ? "resolved" : "pending", words]);
    });
});
