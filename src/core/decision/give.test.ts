import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, jobDef, requestInput, world } from "../../../test/fakes/core.ts";
import { NOTHING } from "../../reach-config/check.ts";
import { resumeJob } from "../control/job.ts";
import type { Decision, Via } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";
import type { DecisionDef, Runbook, Template } from "../model/runbook.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { expire } from "../reach/deadline.ts";
import { removePerson } from "../remove-person.ts";
import { requestDecision } from "../request/request.ts";
import { grantRole, invitePerson, revokeRole } from "../rights/people.ts";
import type { RuleDef } from "../roles/rule.ts";
import type { ResolveInput } from "./answer.ts";
import { cancelDecision } from "./decision.ts";
import { holdAnswer, releaseAnswer, resolveDecision } from "./give.ts";
import { undoAnswer } from "./undo.ts";
import { takeRole } from "./votes-lost.ts";

const OPTIONS: DecisionDef["options"] = [
  { key: "ship" },
  { key: "wipe", reversible: false },
  { key: "stop", action: "cancel" },
];

/** A job of root's that asks under a rule. */
function asked(rule: RuleDef, more: Partial<DecisionDef> = {}): { it: World; id: DecisionId } {
  const it = world();
  it.start(jobDef({ ask: { decision: { options: OPTIONS, ...rule, ...more } }, after: {} }), {
    sponsor: "root",
  });
  return { it, id: pendingIn(it) };
}

function pendingIn(it: World): DecisionId {
  const [id] = it.state.pending;
  if (!id) throw new Error("nothing was asked");
  return id;
}

type Said = Partial<ResolveInput> & { option: string };

const input = ({
  id,
  who,
  ...said
}: Omit<Said, "id" | "who"> & { id: string; who: string | null }): ResolveInput => ({
  choices: [],
  text: null,
  message: null,
  by: who ?? "a policy",
  via: "cli",
  ...said,
  who,
  id,
});

function say(it: World, id: string, who: string | null, option: string, more: Partial<ResolveInput> = {}) {
  return it.play((state, moment) => resolveDecision(state, input({ ...more, id, who, option }), moment));
}

function hold(it: World, id: string, who: string, option: string) {
  return it.play((state, moment) =>
    holdAnswer(state, { ...input({ id, who, option }), delay_ms: 5000 }, moment),
  );
}

function now(it: World, id: DecisionId): Decision {
  const decision = it.state.decisions.get(id);
  if (!decision) throw new Error(`no ${id}`);
  return decision;
}

const code = (wanted: string) => (error: { code: string }) => error.code === wanted;
const saying = (it: World, id: DecisionId) =>
  now(it, id).votes?.map((one) => `${one.who} ${one.answer.labels}`);

describe("who may answer", () => {
  /** What each rule makes of each person: y: yes and no, n: only a no, -: nothing. */
  const TABLE: [rule: RuleDef, who: Record<string, string>][] = [
    [{ approvers: ["ana", "ben"] }, { ana: "y", ben: "y", root: "-", cy: "-", "": "-" }],
    [
      { approvers: ["root"], self: "deny" },
      { root: "-", ana: "-", "": "-" },
    ],
    [{ self: "deny" }, { ana: "y", root: "-", "": "-" }],
    [{ self: "allow" }, { ana: "y", root: "y", "": "-" }],
    [{ fresh: "passkey 5m" }, { ana: "n", root: "n", "": "-" }],
    [
      { approvers: ["ana"], fresh: "passkey 5m" },
      { ana: "n", root: "-", "": "-" },
    ],
    [{ min: 1 }, { ana: "y", root: "y", "": "-" }],
  ];

  for (const [rule, people] of TABLE)
    for (const [who, may] of Object.entries(people))
      it(`${JSON.stringify(rule)}: ${who || "no person"} ${may}`, () => {
        for (const option of ["ship", "stop"]) {
          const { it, id } = asked(rule);
          const takes = may === "y" || (may === "n" && option === "stop");
          if (takes) {
            say(it, id, who || null, option);
            assert.equal(now(it, id).state, "resolved");
          } else {
            assert.throws(() => say(it, id, who || null, option), /Who may:|takes .*'s passkey/);
            assert.equal(now(it, id).state, "pending");
          }
        }
      });

  it("is told who may", () => {
    const { it, id } = asked({ approvers: ["ana", "ben"], min: 2, self: "deny" });
    assert.throws(
      () => say(it, id, "cy", "ship"),
      /cy may not answer .*\. Who may: 2 of ana, ben; not root, whose work it is; one no is enough/,
    );
    assert.throws(() => say(it, id, "cy", "ship"), code("decision.not-yours"));
  });

  it("goes by who it is, not by the name that was given, and records both", () => {
    const { it, id } = asked({ approvers: ["ana"] });
    assert.throws(() => say(it, id, "root", "ship", { by: "ana" }), code("decision.not-yours"));
    say(it, id, "ana", "ship", { by: "ana from accounting" });
    assert.equal(now(it, id).answer?.who, "ana");
    assert.equal(now(it, id).answer?.by, "ana from accounting");
  });

  it("keeps whoever started it from what can't be undone, unless the rule allows that", () => {
    const { it, id } = asked({ min: 1 });
    assert.throws(() => say(it, id, "root", "wipe"), /can't be undone, and root started this/);
    say(it, id, "ana", "wipe");
    const other = asked({ self: "allow" });
    say(other.it, other.id, "root", "wipe");
    assert.equal(now(other.it, other.id).state, "resolved");
  });

  it("lets nobody else dismiss it or take its answer back", () => {
    const { it, id } = asked({ approvers: ["ana"] });
    assert.throws(() => say(it, id, "cy", "dismiss"), code("decision.not-yours"));
    hold(it, id, "ana", "ship");
    const undo = (who: string) => it.play((state, moment) => undoAnswer(state, { id, by: who, who }, moment));
    assert.throws(() => undo("cy"), code("decision.not-yours"));
    undo("ana");
    assert.equal(now(it, id).held, null);
  });
});

describe("the two-person rule", () => {
  const two = { min: 2 } as const;

  it("takes two people who say the same; the first is recorded and changes nothing yet", () => {
    const { it, id } = asked(two);
    say(it, id, "ana", "ship");
    assert.equal(now(it, id).state, "pending");
    assert.deepEqual(saying(it, id), ["ana ship"]);
    say(it, id, "ben", "ship");
    assert.equal(now(it, id).state, "resolved");
    assert.deepEqual(saying(it, id), ["ana ship", "ben ship"]);
  });

  it("counts one person once, however often and under whatever name", () => {
    const { it, id } = asked(two);
    say(it, id, "root", "ship", { by: "ana" });
    assert.deepEqual(say(it, id, "root", "ship", { by: "ben" }), []);
    assert.equal(now(it, id).state, "pending");
    assert.equal(now(it, id).votes?.length, 1);
  });

  it("doesn't count two people who want something else", () => {
    const { it, id } = asked(two);
    say(it, id, "ana", "ship");
    say(it, id, "ben", "wipe");
    assert.equal(now(it, id).state, "pending");
    say(it, id, "cy", "wipe");
    assert.deepEqual(now(it, id).answer?.labels, ["wipe"]);
  });

  it("is decided by the first no, whatever was said before", () => {
    const { it, id } = asked(two);
    say(it, id, "ana", "ship");
    say(it, id, "ben", "stop");
    assert.deepEqual(now(it, id).answer?.labels, ["stop"]);
    assert.throws(() => say(it, id, "cy", "ship"), code("decision.already-resolved"));
  });

  it("lets people change their minds until the answer has gone out", () => {
    const { it, id } = asked(two);
    say(it, id, "ana", "ship");
    say(it, id, "ana", "wipe");
    assert.deepEqual(saying(it, id), ["ana wipe"]);
    it.play((state, moment) => undoAnswer(state, { id, by: "ana", who: "ana" }, moment));
    assert.deepEqual(saying(it, id), []);
    say(it, id, "ana", "ship");
    hold(it, id, "ben", "ship");
    assert.ok(now(it, id).held);
    assert.throws(() => say(it, id, "cy", "ship"), code("decision.already-resolved"));
    say(it, id, "ana", "stop");
    assert.deepEqual(now(it, id).answer?.labels, ["stop"]);
    assert.deepEqual(
      it.play((state, moment) => releaseAnswer(state, { id }, moment)),
      [],
    );
  });

  it("is on hold again when the no that stopped it is taken back, however that happens", () => {
    const ways: ((it: World, id: DecisionId) => unknown)[] = [
      (it, id) => it.play((all, moment) => undoAnswer(all, { id, by: "cy", who: "cy" }, moment)),
      (it) =>
        it.play((all, moment) =>
          takeRole(all, { name: "cy", role: "approver", project: null, by: "root" }, moment),
        ),
      (it) =>
        it.play((all, moment) => removePerson(all, { name: "cy", by: "root", config: NOTHING }, moment)),
    ];
    for (const takeBack of ways) {
      const { it, id } = asked({ min: 2 });
      it.play((all) => invitePerson(all, { name: "cy", by: "root" }));
      const role = { name: "cy", role: "approver", project: null, by: "root" } as const;
      it.play((all) => grantRole(all, role));
      hold(it, id, "ana", "ship");
      hold(it, id, "ben", "ship");
      const no = { ...input({ id, who: "cy", option: "stop" }), member: true };
      it.play((all, moment) => holdAnswer(all, { ...no, delay_ms: 7000 }, moment));
      assert.equal(now(it, id).held?.answer.labels[0], "stop");
      takeBack(it, id);
      const { held } = now(it, id);
      assert.deepEqual([held?.answer.labels, held?.answer.by], [["ship"], "ben"]);
      assert.equal((held?.release_at_ms ?? 0) - (held?.held_at_ms ?? 0), 7000);
      it.play((all, moment) => releaseAnswer(all, { id }, moment));
      assert.equal(now(it, id).answer?.labels[0], "ship");
      assert.equal(encodeState(replay(it.events)), encodeState(it.state));
    }
  });

  it("goes back to one when one of two takes theirs back, and isn't undone by others", () => {
    const { it, id } = asked(two);
    const undo = (who: string) => it.play((state, moment) => undoAnswer(state, { id, by: who, who }, moment));
    say(it, id, "cy", "wipe");
    say(it, id, "ana", "ship");
    hold(it, id, "ben", "ship");
    assert.throws(() => undo("dee"), code("decision.not-held"));
    undo("cy");
    assert.ok(now(it, id).held, "what cy said is not what is on hold");
    undo("ana");
    assert.equal(now(it, id).held, null);
    assert.deepEqual(saying(it, id), ["ben ship"]);
    say(it, id, "cy", "ship");
    assert.equal(now(it, id).state, "resolved");
  });

  it("doesn't count somebody who may no longer answer", () => {
    const { it, id } = asked(two);
    it.play((state) => invitePerson(state, { name: "ana", by: "root" }));
    const role = { name: "ana", role: "approver", project: "shop", by: "root" } as const;
    it.play((state) => grantRole(state, role));
    const [revoke, again] = [revokeRole, takeRole].map((rule) => () => {
      say(it, id, "ana", "ship", { member: true });
      it.play((state, moment) => rule(state, role, moment));
    });
    revoke?.(); // as older versions did
    say(it, id, "ben", "ship");
    assert.equal(now(it, id).state, "pending");
    it.play((state) => grantRole(state, role));
    it.play((state, moment) => undoAnswer(state, { id, by: "ben", who: "ben" }, moment));
    again?.();
    assert.deepEqual(saying(it, id), []);
    say(it, id, "ben", "ship");
    assert.deepEqual(saying(it, id), ["ben ship"]);
    assert.equal(now(it, id).state, "pending");
    say(it, id, "cy", "ship");
    assert.equal(now(it, id).state, "resolved");
  });

  it("holds nothing back for somebody who may no longer answer, unless another role lets them", () => {
    const { it, id } = asked(two);
    it.play((state) => invitePerson(state, { name: "ana", by: "root" }));
    const roles = [null, "shop", "mill"].map(
      (project) => ({ name: "ana", role: "approver", project, by: "root" }) as const,
    );
    for (const role of roles) it.play((state) => grantRole(state, role));
    say(it, id, "ana", "ship", { member: true });
    hold(it, id, "ben", "ship");
    const held = roles.map((role) => {
      it.play((state, moment) => takeRole(state, role, moment));
      return now(it, id).held !== null;
    });
    assert.deepEqual(held, [true, false, false], "everywhere, here, and elsewhere");
    assert.deepEqual(saying(it, id), ["ben ship"]);
    assert.equal(encodeState(replay(it.events)), encodeState(it.state));
  });

  it("doesn't send what is on hold from somebody who may no longer answer, also where one is enough", () => {
    const role = { name: "ana", role: "approver", project: null, by: "root" } as const;
    const table: [via: Via, rule: RuleDef, isHeld: boolean][] = [
      ["web", {}, false],
      ["ssh", { approvers: ["ana"] }, false],
      ["slack", { approvers: ["ana"] }, true], // roles say nothing about channels
    ];
    for (const [via, rule, isHeld] of table) {
      const { it, id } = asked(rule);
      it.play((all) => invitePerson(all, { name: "ana", by: "root" }));
      it.play((all) => grantRole(all, role));
      const said = { ...input({ id, who: "ana", option: "ship" }), via, delay_ms: 5000 };
      it.play((all, moment) => holdAnswer(all, said, moment));
      it.play((all, moment) => takeRole(all, role, moment));
      assert.equal(now(it, id).held !== null, isHeld, via);
      assert.equal(encodeState(replay(it.events)), encodeState(it.state));
    }
  });

  it("is the same after a restart, at every point", () => {
    const { it, id } = asked(two);
    say(it, id, "ana", "ship");
    hold(it, id, "ben", "ship");
    it.play((state, moment) => undoAnswer(state, { id, by: "ben", who: "ben" }, moment));
    say(it, id, "cy", "ship");
    for (let n = 1; n <= it.events.length; n++) {
      const state = replay(it.events.slice(0, n));
      assert.equal(encodeState(decodeState(encodeState(state))), encodeState(state));
    }
    assert.equal(encodeState(replay(it.events)), encodeState(it.state));
  });
});

describe("what is no person", () => {
  it("says no at the deadline, and never yes", () => {
    for (const [key, state] of [
      ["ship", "pending"],
      ["stop", "expired"],
    ] as const) {
      const options = OPTIONS.map((one) => ({ ...one, reversible: true }));
      const { it, id } = asked({ min: 1 }, { options, deadline_ms: 1000, default: key });
      const until_ms = now(it, id).deadline_at_ms ?? 0;
      it.play((all, moment) =>
        expire(all, { type: "expire", decision_id: id, project: "shop", from_ms: 0, until_ms }, moment),
      );
      assert.equal(now(it, id).state, state);
    }
  });

  it("says nothing at the deadline where the log has a yes as the default", () => {
    const { it, id } = asked({ min: 1 }, { deadline_ms: 1000, default: "stop" });
    const [created] = it.events.filter((one) => one.type === "decision:created");
    const forged = world();
    forged.play(() => [{ ...(created as never as object), default: "ship" } as never]);
    const until_ms = now(it, id).deadline_at_ms ?? 0;
    const facts = forged.play((all, moment) =>
      expire(all, { type: "expire", decision_id: id, project: "shop", from_ms: 0, until_ms }, moment),
    );
    assert.deepEqual(facts, []);
  });
});

describe("a request under a rule", () => {
  const requests: Runbook["requests"] = { file_check: {} };
  const template: Template = {
    path: "a.hcl",
    line: 1,
    name: "deploy",
    required_context: [],
    options: [{ key: "go" }, { key: "no", action: "cancel" }],
    min: 2,
    self: "deny",
    on_cancel: "unblock",
  };
  const ask = (it: World, more: Parameters<typeof requestInput>[0] = {}) =>
    it.play((state, moment) =>
      requestDecision(
        state,
        requestInput({
          requester: asker("bot", { who: "root" }),
          options: [],
          template: "deploy",
          runbook: { templates: [template], requests },
          ...more,
        }),
        moment,
      ),
    );

  it("has its template's rule, and the asker for a sponsor", () => {
    const it = world();
    ask(it);
    const id = pendingIn(it);
    assert.deepEqual(now(it, id).rule, { min: 2, self: "deny" });
    assert.throws(() => say(it, id, "root", "go"), code("decision.not-yours"));
    say(it, id, "ana", "go");
    assert.equal(now(it, id).state, "pending");
    say(it, id, "ben", "no");
    assert.equal(now(it, id).state, "resolved");
  });

  it("keeps what can't be undone from the asker, as its template says", () => {
    const it = world();
    const options: Template["options"] = [{ key: "wipe", reversible: false }, { key: "keep" }];
    const { self: _, min: __, ...rest } = template;
    const own: Template = { ...rest, approvers: ["root", "ana"], options };
    ask(it, { runbook: { templates: [own], requests } });
    const id = pendingIn(it);
    assert.throws(() => say(it, id, "root", "wipe"), { message: /"wipe" can't be undone/ });
    say(it, id, "ana", "wipe");
    assert.equal(now(it, id).state, "resolved");
  });

  it("keeps what it blocks blocked after a no, and when it is withdrawn", () => {
    const it = world();
    const job = it.start(jobDef({ one: {}, two: {} }));
    ask(it, { blocks: [job] });
    const id = pendingIn(it);
    assert.equal(now(it, id).on_cancel, "keep");
    say(it, id, "ana", "no");
    assert.equal(it.job(job).blocked_by.length, 1);
  });

  it("frees what it blocks by a yes alone: nobody resumes the job past it, whatever became of it", () => {
    for (const end of ["pending", "no", "withdrawn", "busy"]) {
      const it = world();
      const job = it.start(jobDef({ one: {}, two: {} }));
      ask(it, { blocks: [job] });
      const id = pendingIn(it);
      if (end !== "busy") it.shell(job);
      if (end === "no") say(it, id, "ana", "no");
      const by = { by: "root", reason: null };
      if (end === "withdrawn") it.play((state, moment) => cancelDecision(state, { id, ...by }, moment));
      const resume = { id: job, by: "root", message: null };
      assert.throws(() => it.play((state, moment) => resumeJob(state, resume, moment)), {
        code: "job.not-resumable",
        message: /only a yes frees it/,
      });
      assert.equal(it.job(job).blocked_by.length, 1, end);
      if (end === "no") assert.match(now(it, id).aftermath ?? "", /still blocked: .*oj job cancel job-/);
      if (end !== "pending") continue;
      say(it, id, "ana", "go");
      say(it, id, "ben", "go");
      assert.deepEqual(it.job(job).blocked_by, []);
    }
  });

  it("can't be got rid of by asking again without the template", () => {
    const it = world();
    ask(it);
    ask(it, {
      template: null,
      prompt: "And this?",
      options: [
        { label: "Yes", description: null },
        { label: "No", description: null },
      ],
    });
    const id = pendingIn(it);
    assert.deepEqual(now(it, id).rule, { min: 2, self: "deny" });
  });
});
