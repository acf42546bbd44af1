import assert from "node:assert/strict";
import { it } from "vitest";
import type { Agent, Parcel } from "../model/agent-types.ts";
import { isTask } from "./waiting.ts";

it("tells a program's own task from what was said to it", () => {
  const agent = { def: { prompt: "Tidy up." } } as Agent;
  const parcel = (text: string, decision_id: Parcel["decision_id"] = null) =>
    ({ text, decision_id }) as Parcel;
  assert.equal(isTask(agent, parcel("Tidy up.")), true);
  assert.equal(isTask(agent, parcel("Tidy up. Now.")), false);
  assert.equal(isTask(agent, parcel("Tidy up.", "dec-1")), false);
  assert.equal(isTask({ def: {} } as Agent, parcel("")), false);
});
