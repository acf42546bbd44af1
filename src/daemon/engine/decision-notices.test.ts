import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { Urgency } from "../../core/model/runbook.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { snoozeDecision } from "../../core/reach/claim.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startDecisionNotices } from "./decision-notices.ts";
import { startEngine } from "./engine.ts";

function world() {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  let isQuiet = false;
  const notices = startDecisionNotices(engine, ports, () => isQuiet);
  const ask = async (name: string, urgency: Urgency = "medium"): Promise<DecisionId> => {
    const requester = asker(name);
    const options = [{ label: "A", description: null }];
    const input = requestInput({ requester, prompt: `${name}'s question?`, options, urgency });
    const [created] = await engine.run((state, moment) => requestDecision(state, input, moment));
    return (created as { id: DecisionId }).id;
  };
  const answer = (id: DecisionId) => {
    const input = { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
    return engine.run((state, moment) => resolveDecision(state, input, moment));
  };
  const told = async (ms: number) => {
    ports.clock.pass(ms);
    await engine.read(() => null); // what the clock has begun
    return ports.notifier.told.map((it) => `${it.isUrgent ? "! " : ""}${it.title} | ${it.text}`);
  };
  const snooze = (id: DecisionId, for_ms: number) =>
    engine.run((state, moment) => snoozeDecision(state, { id, by: "ana", via: "cli", for_ms }, moment));
  const end = (id: DecisionId, by: string | null) => {
    const times = { remind_at_ms: null, next_at_ms: null };
    return engine.run(() => [{ type: "decision:released", id, project: "shop", by, ...times }]);
  };
  return { ask, answer, told, snooze, end, notices, setQuiet: (on: boolean) => (isQuiet = on) };
}

describe("a notice about decisions", () => {
  it("comes a moment after one was asked, and once", async () => {
    const { ask, told } = world();
    await ask("ben");
    assert.deepEqual(await told(600), []);
    const notice = "oj: ben in shop | ben's question?";
    assert.deepEqual(await told(200), [notice]);
    assert.deepEqual(await told(60_000), [notice]);
  });

  it("comes again once the time of a snooze is up, and not because somebody ended it", async () => {
    const { ask, told, snooze, end } = world();
    const id = await ask("ben");
    const notice = "oj: ben in shop | ben's question?";
    await told(1000);
    await snooze(id, 60_000);
    await end(id, "ana");
    assert.deepEqual(await told(60_000), [notice]);
    await snooze(id, 60_000);
    await end(id, null);
    assert.deepEqual(await told(1000), [notice, notice]);
  });

  it("is one for all that came together, with the first of them", async () => {
    const { ask, told } = world();
    for (const name of ["ann", "ben", "cid", "dan", "eve", "fay"]) await ask(name);
    await ask("gus", "high");
    const lines = ["ann", "ben", "cid", "dan"].map((it) => `${it}: ${it}'s question?`);
    const text = [...lines, "and 3 more"].join("\n");
    assert.deepEqual(await told(1000), [`! oj: 7 decisions wait for you | ${text}`]);
  });

  it("comes some seconds after the last one at the earliest, with what was asked meanwhile", async () => {
    const { ask, told } = world();
    await ask("ann");
    await told(1000);
    await ask("ben");
    assert.equal((await told(4000)).length, 1);
    await ask("cid");
    assert.deepEqual((await told(1000)).slice(1), [
      "oj: 2 decisions wait for you | ben: ben's question?\ncid: cid's question?",
    ]);
  });

  it("never tells about what has been answered, and is silent about what can wait", async () => {
    const { ask, answer, told } = world();
    await answer(await ask("ann"));
    await ask("ben", "low");
    assert.deepEqual(await told(1000), []);
    await answer(await ask("cid"));
    await ask("dan", "high");
    assert.deepEqual(await told(1000), ["! oj: dan in shop | dan's question?"]);
  });

  it("does not come while the person wants quiet, nor later for what was asked then", async () => {
    const { ask, told, setQuiet } = world();
    setQuiet(true);
    await ask("ann");
    await told(1000);
    setQuiet(false);
    await ask("ben");
    assert.deepEqual(await told(10_000), ["oj: ben in shop | ben's question?"]);
  });

  it("does not come after the end of the daemon", async () => {
    const { ask, told, notices } = world();
    await ask("ann");
    notices.stop();
    assert.deepEqual(await told(10_000), []);
  });
});
