/** Every kind of caller with every kind of open call: whoever takes all they can get leaves room for everybody else. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Principal } from "../callers.ts";
import { holderOf } from "../principal.ts";
import type { Kind } from "./places.ts";
import { KINDS, startPlaces } from "./places.ts";

const person = { kind: "person", session: null, step: null, trust: null, login: null } as const;
const rights = { roles: [], scopes: [] };
const member = (name: string, more: object = {}) => ({ ...person, name, who: name, rights, ...more });
const owner = (name: string, more: object = {}) => ({ ...person, name, who: "kim", rights: null, ...more });
const program = (name: string) => ({
  kind: "service",
  name,
  project: "shop",
  root: "/",
  rights,
  trust: null,
});
const agent = (id: string) => ({ kind: "agent", agent_id: id, name: "coder", project: "shop", root: "/" });

/** Who calls, and by what door. Those in one row are one caller. */
const CALLERS: Readonly<Record<string, readonly object[]>> = {
  "the machine's own user: at the socket by any name, in a step, in a session, in a browser": [
    owner("kim"),
    owner("a name they made up"),
    owner("kim", { step: { agent_id: null } }),
    owner("kim", { session: "ses-1" }),
    owner("kim", { login: "log-1" }),
  ],
  "a person: with one token, with another, in a browser, by every door that vouches": [
    member("ana", { trust: { token: "one" } }),
    member("ana", { trust: { token: "two" } }),
    member("ana", { login: "log-2" }),
    ...["ssh", "proxy", "tailscale"].map((door) => member("ana", { door })),
  ],
  "another person": [member("ben")],
  "a person with the name of the machine's user": [member("kim")],
  "a program": [program("ci")],
  "another program": [program("nightly")],
  "a program with a person's name": [program("ana")],
  "an agent": [agent("agt-a")],
  "another agent": [agent("agt-b")],
};

const [OWNER = ""] = Object.keys(CALLERS);
const STREAMS = 32;
/** Half of what there is; nobody but the machine's user has more than 256. */
const SHARES: Readonly<Record<Kind, { owner: number; others: number }>> = {
  events: { owner: 16, others: 16 },
  screens: { owner: 16, others: 16 },
  logs: { owner: 128, others: 128 },
  waits: { owner: 2048, others: 256 },
  mcp: { owner: 256, others: 256 },
};

const holdersOf = (row: string) => (CALLERS[row] ?? []).map((it) => holderOf(it as Principal));
const codeOf = (call: () => unknown) => {
  try {
    call();
    return "taken";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("places", () => {
  for (const kind of KINDS)
    for (const hog of Object.keys(CALLERS))
      it(`for ${kind}: ${hog} has a share, and nobody else goes without`, () => {
        const places = startPlaces(STREAMS);
        const doors = holdersOf(hog);
        const back: (() => void)[] = [];
        const share = SHARES[kind][hog === OWNER ? "owner" : "others"];
        for (let n = 0; n < share; n++) {
          const holder = doors[n % doors.length];
          assert.ok(holder);
          back.push(places.take(kind, holder));
        }
        for (const holder of doors)
          assert.equal(
            codeOf(() => places.take(kind, holder)),
            "request.too-many",
          );
        for (const other of Object.keys(CALLERS).filter((it) => it !== hog))
          for (const holder of holdersOf(other)) {
            const giveBack = places.take(kind, holder);
            giveBack();
          }
        for (const it of KINDS.filter((it) => it !== kind)) places.take(it, holdersOf(hog)[0] ?? never());
        back[0]?.();
        back[0]?.(); // whoever says twice that it is over gives back one place
        assert.equal(
          codeOf(() => places.take(kind, doors[0] ?? never())),
          "taken",
        );
        assert.equal(
          codeOf(() => places.take(kind, doors[0] ?? never())),
          "request.too-many",
        );
        for (const it of back) it();
        assert.equal(places.taken(kind), 1);
      });

  it("leave room however many take all they can get", () => {
    const places = startPlaces(256);
    const held = ["a", "b", "c", "d", "e", "f"].map((key) => {
      let count = 0;
      while (codeOf(() => places.take("events", { key, isOwner: false })) === "taken") count += 1;
      return count;
    });
    assert.deepEqual(held, [128, 64, 32, 16, 8, 4]);
    assert.equal(
      codeOf(() => places.take("events", { key: "one more", isOwner: false })),
      "taken",
    );
  });

  it("say what is in the way, how many, and what helps", () => {
    const places = startPlaces(3);
    const take = (key: string) => places.take("events", { key, isOwner: key === "owner" });
    take("owner");
    take("owner");
    assert.throws(() => take("owner"), {
      message: "you have 2 event streams open, and 1 of 3 are left for others",
      hint: "end one of yours first, or raise limits.streams",
      details: { kind: "events", all: 3, taken: 2, yours: 2, retry_s: 8 },
    });
    take("ana");
    assert.throws(() => take("ben"), {
      message: "all 3 event streams are in use",
      hint: "try again in a while, or raise limits.streams",
    });
    const few = startPlaces(1);
    few.take("events", { key: "owner", isOwner: true });
    assert.throws(() => few.take("events", { key: "owner", isOwner: true }), {
      message: "you have 1 event stream open, and 0 of 1 are left for others",
    });
  });
});

function never(): never {
  throw new Error("a caller is missing");
}
