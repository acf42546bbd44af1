import assert from "node:assert/strict";
import { it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { requestDecision } from "../../core/request/request.ts";
import { defaults } from "../../settings.ts";
import type { Engine } from "./engine.ts";
import { startEngine } from "./engine.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { loadState } from "./load-state.ts";

const DAY_MS = 86_400_000;

function callers(engine: Engine) {
  return {
    async ask(name: string): Promise<DecisionId> {
      const [created] = await engine.run((state, moment) =>
        requestDecision(state, requestInput({ project: "p", requester: asker(name) }), moment),
      );
      return (created as { id: DecisionId }).id;
    },
    answer(id: DecisionId) {
      const given = { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
      return engine.run((state, moment) => resolveDecision(state, given, moment));
    },
  };
}

it("a start after 100 days removes nothing that somebody may still come for", async () => {
  const ports = fakePorts();
  const { clock, log } = ports;
  const before = startEngine(ports, emptyState());
  const { ask, answer } = callers(before);
  const [pending, unfetched, fetched] = [await ask("a"), await ask("b"), await ask("c")];
  await answer(unfetched);
  await answer(fetched);
  await before.run(() => [{ type: "decision:acknowledged", id: fetched, project: "p" }]);
  await before.stop();

  clock.pass(100 * DAY_MS);
  const engine = startEngine(ports, (await loadState(log)).state);
  const housekeeping = startHousekeeping(engine, ports, defaults.history);
  const ids = () => engine.read((state) => [...state.decisions.keys()]);
  await settled();
  assert.deepEqual(await ids(), [pending, unfetched]);
  await engine.run(() => [{ type: "decision:acknowledged", id: unfetched, project: "p" }]);
  clock.pass(DAY_MS + 1000);
  await settled();
  assert.deepEqual(await ids(), [pending], "it was fetched, and is old");
  housekeeping.stop();
});

it("says in its log which answers it removed though nobody had fetched them", async () => {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  const { ask, answer } = callers(engine);
  const ids = [await ask("a"), await ask("b"), await ask("c")];
  for (const id of ids) await answer(id);
  const housekeeping = startHousekeeping(engine, ports, { ...defaults.history, max_decisions: 2 });
  await settled();
  assert.deepEqual(await engine.read((state) => [...state.decisions.keys()]), ids.slice(1));
  const warned = ports.journal.lines.filter((it) => it.level === "warn");
  assert.deepEqual(
    warned.map(({ message, fields }) => [message, fields]),
    [["removed answers that nobody fetched", { ids: ids.slice(0, 1) }]],
  );
  housekeeping.stop();
});

it("walks through all decisions as often for many that go as for one", async () => {
  async function walksFor(count: number): Promise<number> {
    const ports = fakePorts();
    const state = emptyState();
    const engine = startEngine(ports, state);
    const { ask, answer } = callers(engine);
    for (let n = 0; n < count + 1; n++) await answer(await ask(`asker-${n}`));
    let walks = 0;
    const gists = state.decisions.gists.bind(state.decisions);
    state.decisions.gists = () => {
      walks += 1;
      return gists();
    };
    const housekeeping = startHousekeeping(engine, ports, { ...defaults.history, max_decisions: 1 });
    while (state.decisions.size > 1) await settled();
    await settled();
    housekeeping.stop();
    await engine.stop();
    return walks;
  }
  assert.equal(await walksFor(300), await walksFor(1));
});
