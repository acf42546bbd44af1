import assert from "node:assert/strict";
import { it } from "vitest";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { Unreachable } from "../../../ports.ts";
import { startLastLines } from "./last-lines.ts";

const ID: AgentId = "agt-2345678923";

it("a screen is read once for what was printed, and again if it could not be read", async () => {
  const { terminals, clock } = fakePorts();
  const { screen } = terminals;
  let [looks, hangs] = [0, true];
  terminals.screen = async (...input) => {
    looks += 1;
    if (hangs) throw new Unreachable("tmux did not answer for 5 s");
    return screen(...input);
  };
  await terminals.start({ agent_id: ID, argv: ["x"], cwd: "/", env: {}, columns: 80, rows: 24 });
  terminals.program(ID).setScreen("two of nine tests fail");
  const lines = startLastLines({ terminals, clock });
  const said = async () => (await lines.of([ID])).get(ID);
  assert.equal(await said(), "");
  hangs = false;
  assert.equal(await said(), "two of nine tests fail");
  assert.equal(await said(), "two of nine tests fail");
  assert.equal(looks, 2);
  lines.stop();
});
