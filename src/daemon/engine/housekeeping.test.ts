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
import { startEngine } from "./engine.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { loadState } from "./load-state.ts";

const DAY_MS = 86_400_000;

it("a start after 100 days removes nothing that somebody may still come for", async () => {
  const ports = fakePorts();
  const { clock, log } = ports;
  const before = startEngine(ports, emptyState());
  const ask = async (name: string): Promise<DecisionId> => {
    const [created] = await before.run((state, moment) =>
      requestDecision(state, requestInput({ project: "p", requester: asker(name) }), moment),
    );
    return (created as { id: DecisionId }).id;
  };
  const answer = (id: DecisionId) =>
    before.run((state, moment) =>
      resolveDecision(
        state,
        { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" },
        moment,
      ),
    );
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
