/** A network that is cut in two: who can't reach the database says so in time, and everybody else goes on. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { relayTo } from "../fakes/servers/relay.ts";
import { call, socketOf } from "../specs/support/http.ts";
import type { Project } from "../specs/support/project.ts";
import type { Refusal } from "../specs/support/views.ts";
import { allWait, awaiting, wait } from "../specs/support/waiters.ts";
import { answer, asked, askedSoon, machine, rounds, sharedServer, timed, whyNot, within } from "./support.ts";

const server = sharedServer();

const stateOf = async (project: Project, id: string) => {
  const reply = await call(project, "GET", `/decisions/${id}`);
  return reply.status === 200 ? reply.json<{ state: string }>().state : null;
};

describe.skipIf(whyNot !== null)("two machines", () => {
  it("one of which is cut off: it refuses and still shows, the other works, and both agree afterwards", async () => {
    const url = await server().database();
    const relay = await relayTo(server().port);
    onTestFinished(() => relay.close());
    const far = await machine(url.replace(`:${server().port}/`, `:${relay.port}/`), "far");
    onTestFinished(() => relay.thaw()); // before its daemon is stopped
    const near = await machine(url, "near");
    const [refused, worked, healed]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds(1, 10); round++) {
      const id = await asked(near, `Round ${round}?`);
      await far.until(async () => (await stateOf(far, id)) === "pending", "the question at the other one");
      relay.freezeAll();
      const no = await timed(refused, () => answer(far, id, 2));
      assert.equal(no.json<Refusal>().error.code, "store.unreachable", no.text);
      assert.match(no.json<Refusal>().error.message, /PostgreSQL/);
      assert.equal(await stateOf(far, id), "pending", "what it knows is still shown");
      await timed(worked, () => askedSoon(near, `meanwhile ${round}`));
      assert.equal((await answer(near, id, 1)).status, 200);
      relay.thaw();
      await timed(healed, async () => {
        await askedSoon(far, `healed ${round}`);
        await far.until(async () => (await stateOf(far, id)) === "resolved", "the answer at the other one");
      });
    }
    within(5000, refused, "a refusal where the database can't be reached");
    within(5000, worked, "a question where it can");
    within(2000, healed, "writing and hearing once the network was back");
  });

  it("hand an answer over in no time: whoever waits at one gets what is answered at the other", async () => {
    const url = await server().database();
    const [home, other] = [await machine(url, "home"), await machine(url, "other")];
    /** Answered at the other machine; and, as the floor of this very moment, at home. */
    const [taken, floor]: [number[], number[]] = [[], []];
    for (let round = 0; round < 2 * rounds(2, 300); round++) {
      const [at, into] = round % 2 === 0 ? [other, taken] : [home, floor];
      const id = await asked(home, `Round ${round}?`);
      await at.until(async () => (await stateOf(at, id)) === "pending", "the question where it is answered");
      const waiter = await wait(socketOf(home), awaiting(id));
      await allWait(socketOf(home), id);
      const from = performance.now();
      assert.equal((await answer(at, id)).status, 200);
      into.push((await waiter.arrived) - from);
    }
    const p99 = (them: number[]) => them.sort((a, b) => a - b)[Math.ceil(them.length * 0.99) - 1] ?? 0;
    within(Math.max(100, 2 * p99(floor)), [p99(taken)], "an answer from the other machine, p99");
  });
});
