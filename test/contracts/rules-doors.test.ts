/** Rules about who may answer, at the doors of a whole daemon: who somebody is there, and what happens in a crowd. */
import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { describe, it } from "vitest";
import { HEADERS } from "../../src/api/api.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { fakeDaemon } from "../fakes/daemon.ts";

const owner = userInfo().username;

/** A template for each rule; "crew" is a group of ana and ben. */
const RULES: Record<string, string> = {
  named: 'approvers = ["ana"]',
  group: 'approvers = ["crew"]',
  two: "min = 2",
  others: 'self = "deny"',
  fresh: 'fresh = "passkey 5m"',
};

const RUNBOOK = Object.entries(RULES)
  .map(
    ([name, rule]) => `decision_template "${name}" {
  ${rule}
  option "go" {}
  option "no" { action = "cancel" }
}`,
  )
  .join("\n");

const SETTINGS = `
[person.ana]
[person.ben]
[group]
crew = ["ana", "ben"]
`;

async function world(settings = SETTINGS) {
  const daemon = await fakeDaemon({ ".oj/runbooks/rules.hcl": RUNBOOK }, settings);
  const post = async <T>(path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await daemon.call("POST", path, body, headers);
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    return reply.json as T;
  };
  const tokenFor = async (name: string, role: string) => {
    await post("/people", { name });
    await post("/roles/grant", { name, role, project: null });
    const scopes = ["admin"];
    return (await post<{ token: string }>("/tokens", { person: name, scopes, lasts_ms: 60_000 })).token;
  };
  const withToken = (token: string) => ({ [HEADERS.remote]: "1", authorization: `Bearer ${token}` });
  const doors: Record<string, Record<string, string>> = {
    /** The socket's own user, by whatever name. */
    socket: {},
    "socket as ana": { [HEADERS.user]: "ana" },
    ana: withToken(await tokenFor("ana", "approver")),
    ben: withToken(await tokenFor("ben", "approver")),
    chief: withToken(await tokenFor("chief", "admin")),
    viewer: withToken(await tokenFor("vi", "viewer")),
  };
  const ask = async (template: string, headers: Record<string, string> = {}) =>
    (
      await post<{ id: string }>(
        "/decisions",
        { project: "shop", cwd: daemon.dir, prompt: "Deploy?", template, options: [], as: null },
        headers,
      )
    ).id;
  const say = (door: string, id: string, option: string) =>
    daemon.call("POST", `/decisions/${id}/resolve`, { option }, doors[door] ?? {});
  const state = async (id: string) =>
    (await daemon.call("GET", `/decisions/${id}`)).json as {
      state: string;
      said?: { who: string; says: string }[];
      who_may?: string;
      min?: number;
      approvals?: { by: string; choice: number | null; at_ms: number }[];
    };
  return { ...daemon, doors, ask, say, state };
}

describe("a rule at every door", () => {
  /** Whose yes decides (y), is one of two (1), or is refused (-). */
  const TABLE: Record<string, Record<string, "y" | "1" | "-">> = {
    named: { socket: "-", "socket as ana": "-", ana: "y", ben: "-", chief: "-", viewer: "-" },
    group: { socket: "-", "socket as ana": "-", ana: "y", ben: "y", chief: "-", viewer: "-" },
    two: { socket: "1", "socket as ana": "1", ana: "1", ben: "1", chief: "1", viewer: "-" },
    others: { socket: "-", "socket as ana": "-", ana: "y", ben: "y", chief: "y", viewer: "-" },
    fresh: { socket: "-", "socket as ana": "-", ana: "-", ben: "-", chief: "-", viewer: "-" },
  };

  it("lets in those it names and nobody else, one at a time and several at once", async () => {
    const { ask, say, state, call, doors } = await world();
    const wrong: string[] = [];
    for (const [rule, people] of Object.entries(TABLE))
      for (const [door, expected] of Object.entries(people))
        for (const isBatch of [false, true]) {
          const id = await ask(rule);
          const { status, text } = isBatch
            ? await call("POST", "/decisions/resolve", { ids: [id], option: "go" }, doors[door] ?? {})
            : await say(door, id, "go");
          const isTaken = status === 200 && !text.includes('"error":{');
          const now = await state(id);
          const got = now.state === "resolved" ? "y" : now.said?.length === 1 ? "1" : "-";
          if (got !== expected || isTaken !== (expected !== "-"))
            wrong.push(`${rule}, ${door}${isBatch ? ", several" : ""}: ${got}, ${status}`);
        }
    assert.deepEqual(wrong, []);
  });

  it("lets only those claim, snooze and release who may answer", async () => {
    const { ask, call, doors, events } = await world();
    const wrong: string[] = [];
    for (const [rule, people] of Object.entries(TABLE)) {
      if (rule === "fresh") continue; // anybody may say no, so anybody may be on it
      const id = await ask(rule);
      for (const [door, expected] of Object.entries(people))
        for (const [what, body] of [
          ["claim", { for_ms: null }],
          ["snooze", { for_ms: 60_000 }],
          ["release", {}],
        ] as const) {
          const { status, text } = await call("POST", `/decisions/${id}/${what}`, body, doors[door] ?? {});
          const isRefused = status === 403;
          if (isRefused !== (expected === "-")) wrong.push(`${rule}, ${door}: ${what} ${status} ${text}`);
          if (isRefused && door !== "viewer" && !/Who may: /.test(text)) wrong.push(`${door}: ${text}`);
        }
    }
    assert.deepEqual(wrong, []);
    const by = events().flatMap((it) => (it.type === "decision:claimed" ? [it.by] : []));
    assert.ok(!by.includes("vi"));
  });

  it("says who may, on the decision and in the refusal", async () => {
    const { ask, say, state } = await world();
    const id = await ask("group");
    assert.equal((await state(id)).who_may, "ana, ben");
    const { status, text } = await say("socket as ana", id, "go");
    assert.equal(status, 403);
    assert.match(text, new RegExp(`${owner} may not answer ${id}\\. Who may: ana, ben`));
  });

  it("says who has said yes so far, and how many it takes", async () => {
    const { ask, say, state } = await world();
    const id = await ask("two");
    const before = await state(id);
    assert.deepEqual([before.min, before.approvals], [2, []]);
    await say("ana", id, "go");
    const one = await state(id);
    const [approval] = one.approvals ?? [];
    assert.deepEqual([one.approvals?.length, approval?.by, approval?.choice], [1, "ana", 1]);
    assert.ok((approval?.at_ms ?? 0) > 1e12);
    await say("ben", id, "no");
    const { said, approvals } = await state(id);
    assert.deepEqual([said?.length, approvals?.map((it) => it.by)], [2, ["ana"]]);
    const named = await ask("named");
    assert.deepEqual([(await state(named)).min, (await state(named)).approvals], [1, []]);
  });

  it("takes a no where a yes takes a passkey, and says why", async () => {
    const { ask, say, state } = await world();
    const id = await ask("fresh");
    assert.match((await say("ana", id, "go")).text, /a yes takes ana's passkey.*a no does not/);
    assert.equal((await say("ana", id, "no")).status, 200);
    assert.equal((await state(id)).state, "resolved");
  });

  it("knows the machine's user by the name that the settings give", async () => {
    const { ask, say, state } = await world(`${SETTINGS}\n[machine]\nowner = "ana"\n`);
    const id = await ask("named");
    await say("socket", id, "go");
    assert.equal((await state(id)).state, "resolved");
    const two = await ask("two");
    await say("socket", two, "go");
    await say("ana", two, "go");
    assert.deepEqual((await state(two)).said, [{ who: "ana", says: "go" }]);
  });
});

describe("two people in a crowd", () => {
  const CALLERS = 64;

  it("decides once, by two of them, and everybody else is told", async () => {
    const { ask, say, state, events } = await world();
    const names = ["ana", "ben", "chief", "socket"];
    for (let round = 0; round < 5; round++) {
      const id = await ask("two");
      const replies = await Promise.all(
        Array.from({ length: CALLERS }, (_, n) => say(names[n % names.length] ?? "", id, "go")),
      );
      const codes = new Set(replies.map((it) => it.status));
      assert.ok(
        [...codes].every((it) => it === 200 || it === 409),
        [...codes].join(),
      );
      const about = events().filter((it) => "id" in it && it.id === id);
      assert.equal(about.filter((it) => it.type === "decision:resolved").length, 1);
      const voters = about.flatMap((it) => (it.type === "decision:voted" ? [it.who] : []));
      assert.equal(new Set(voters).size, 2);
      assert.equal(voters.length, 2);
      const again = replay(events()).decisions.get(id as `dec-${string}`);
      assert.equal(again?.state, (await state(id)).state);
    }
  });

  it("is not decided by one of them alone, however often they say it", async () => {
    const { ask, say, state } = await world();
    const id = await ask("two");
    await Promise.all(Array.from({ length: CALLERS }, () => say("ana", id, "go")));
    assert.deepEqual(await state(id).then(({ state: it, said }) => [it, said]), [
      "pending",
      [{ who: "ana", says: "go" }],
    ]);
  });

  it("is decided by one no among many", async () => {
    const { ask, say, state, events } = await world();
    const id = await ask("two");
    await Promise.all([
      ...Array.from({ length: CALLERS / 2 }, () => say("ana", id, "go")),
      say("ben", id, "no"),
      ...Array.from({ length: CALLERS / 2 }, () => say("ana", id, "go")),
    ]);
    assert.equal((await state(id)).state, "resolved");
    const last = events().find((it) => it.type === "decision:resolved" && it.id === id);
    assert.deepEqual(last?.type === "decision:resolved" && last.labels, ["no"]);
  });
});
