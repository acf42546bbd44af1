import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { openDialogs } from "./open-dialogs.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");
const COMMAND = "touch a";

/**
 * An agent with an open dialog, which was drawn before it was recorded. `prints`: the terminal prints once more
 * afterwards.
 */
async function dialog(prints: boolean) {
  const agent = await hookedAgent();
  const { engine, ports, hooks, openHooks, shown, send, clock } = agent;
  const watch = openDialogs(engine, ports, {
    hooks,
    openHooks,
    agentClientOf: (it) => ({ ...agentClientOf(it), shows: () => true }),
  });
  onTestFinished(watch.stop);
  shown.screen = screen("approval-bash");
  await send(call("PreToolUse", COMMAND));
  void send(call("PermissionRequest", COMMAND));
  await settled();
  if (prints) watch.printed(await agent.agent());
  const pass = async (ms: number) => {
    clock.pass(ms);
    await settled();
  };
  return { ...agent, watch, pass };
}

describe("a dialog that is answered in the terminal while its hook is held", () => {
  it.each([true, false])(
    "is seen to be answered as soon as work follows (drawn after it was recorded: %s)",
    async (prints) => {
      const { agent, pending, shown, watch, pass } = await dialog(prints);
      await pass(1000);
      assert.equal((await pending()).length, 1);
      shown.screen = screen("working");
      watch.printed(await agent());
      await pass(1000);
      await pass(400);
      assert.deepEqual(await pending(), []);
      assert.equal((await agent()).prompt, null);
    },
  );

  it("is not taken for answered while it has not been drawn", async () => {
    const { agent, pending, shown, watch, pass } = await dialog(false);
    shown.screen = screen("working");
    await pass(1000);
    watch.printed(await agent());
    await pass(1000);
    await pass(400);
    assert.equal((await pending()).length, 1);
  });
});
