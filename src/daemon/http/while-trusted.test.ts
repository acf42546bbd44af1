import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Member } from "../../core/roles/people.ts";
import type { Principal } from "./callers.ts";
import { startOpenCalls } from "./open-calls.ts";
import type { Keeper } from "./while-trusted.ts";
import { whileTrusted } from "./while-trusted.ts";

const DAY_MS = 86_400_000;

function setup(lasts_ms = 90 * DAY_MS) {
  const clock = fakeClock();
  const from = clock.now();
  const token = { id: "t1", sha256: "", scopes: ["read"], created_at_ms: from } as const;
  const member = (more: Partial<Member> = {}): Member => ({
    id: "ben",
    invited_at_ms: from,
    roles: [{ role: "viewer", project: "" }],
    tokens: [{ ...token, expires_at_ms: from + lasts_ms }],
    ...more,
  });
  const people = new Map([["ben", member()]]);
  const watchers = new Set<(events: Event[]) => void>();
  const ended = new Set<(id: string) => void>();
  const logins = new Set(["l1"]);
  const engine = {
    read: async <T>(look: (state: Readonly<State>) => T) => look({ people } as unknown as State),
    watch: (watcher: (events: Event[]) => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  const browsers = {
    has: (id: string) => logins.has(id),
    onEnd: (call: (id: string) => void) => {
      ended.add(call);
      return () => ended.delete(call);
    },
  };
  let stop = async () => {};
  const openCalls = startOpenCalls({ engine, logins: browsers, clock } as never, {
    add(_, release) {
      stop = async () => void (await release());
    },
  });
  const keeper = { engine, openCalls, logins: browsers, ports: { clock } } as unknown as Keeper;
  const rights = { roles: member().roles, scopes: ["read"] } as const;
  const caller: Principal = {
    ...{ kind: "person", name: "ben", who: "ben", session: null, step: null, login: null, rights },
    trust: { member: "ben", token: "t1", expires_at_ms: from + lasts_ms },
  };
  /** A handler that waits until it is told to stop, as `await` does. */
  function wait(who: Principal = caller, check: (caller: Principal) => void = () => {}) {
    const gone = new AbortController();
    let began = () => {};
    const isOpen = new Promise<void>((resolve) => (began = resolve));
    const done = whileTrusted(keeper, {
      caller: who,
      check: (_, now) => check(now),
      abort: gone.signal,
      outgoing: undefined,
      run: (abort) =>
        new Promise((resolve) => {
          began();
          abort.addEventListener("abort", () => resolve(new Response(null, { status: 499 })));
        }),
    }).then(
      (result) => `status ${(result as Response).status}`,
      (error: Refusal) => error.code,
    );
    return { done, isOpen, leave: () => gone.abort() };
  }
  const tell = (type: string, id = "ben") => {
    for (const it of watchers) it([{ type, id } as unknown as Event]);
  };
  const logOut = (id: string) => {
    logins.delete(id);
    for (const call of ended) call(id);
  };
  return { clock, people, member, openCalls, caller, wait, tell, logOut, stop: () => stop() };
}

describe("a call that waits", () => {
  it("ends when its token expires, after months, by one timer", async () => {
    const { clock, wait, openCalls } = setup();
    const calls = [wait(), wait(), wait()];
    await Promise.all(calls.map((it) => it.isOpen));
    assert.equal(clock.armed(), 1);
    clock.pass(90 * DAY_MS - 1);
    assert.equal(openCalls.size(), 3);
    clock.pass(1);
    assert.deepEqual(await Promise.all(calls.map((it) => it.done)), Array(3).fill("login.required"));
    assert.equal(openCalls.size(), 0);
  });

  it("ends when the clock has passed the token's end while the machine slept", async () => {
    const { clock, wait } = setup(DAY_MS);
    const { done, isOpen } = wait();
    await isOpen;
    clock.jump(2 * DAY_MS);
    clock.pass(30_000);
    assert.equal(await done, "login.required");
  });

  it("does not begin if its token was revoked while the caller was being found", async () => {
    const { people, wait, openCalls } = setup();
    people.clear();
    assert.equal(await wait().done, "login.required");
    assert.equal(openCalls.size(), 0);
  });

  it("goes on with what the caller may do then, and ends when that is too little", async () => {
    const { people, member, wait, tell, openCalls } = setup();
    const seen: number[] = [];
    const { done, isOpen } = wait(undefined, (now) => {
      const roles = now.kind === "person" ? (now.rights?.roles ?? []) : [];
      seen.push(roles.length);
      if (roles.length === 0) throw new Refusal("request.forbidden", "no");
    });
    await isOpen;
    people.set("ben", member({ roles: [1, 2].map(() => ({ role: "viewer", project: "" })) }));
    tell("person:granted");
    people.set("ben", member({ roles: [] }));
    tell("person:used"); // changes nothing, so nobody looks
    tell("person:ungranted", "ana");
    await Promise.resolve();
    assert.equal(openCalls.size(), 1);
    tell("person:ungranted");
    assert.equal(await done, "request.forbidden");
    assert.equal(seen[0], 1);
    assert.equal(seen.at(-1), 0);
  });

  it("ends when its browser is logged out; that of another one does not", async () => {
    const { caller, wait, logOut, openCalls } = setup();
    const at = (login: string) => ({ ...caller, rights: null, trust: null, login }) as Principal;
    const mine = wait(at("l1"));
    await mine.isOpen;
    logOut("l2");
    assert.equal(openCalls.size(), 1);
    logOut("l1");
    assert.equal(await mine.done, "login.required");
  });

  it("leaves nothing behind when the caller goes away", async () => {
    const { clock, wait, openCalls, stop } = setup();
    const { done, isOpen, leave } = wait();
    await isOpen;
    leave();
    assert.equal(await done, "status 499");
    assert.equal(openCalls.size(), 0);
    await stop();
    assert.equal(clock.armed(), 0);
  });
});
