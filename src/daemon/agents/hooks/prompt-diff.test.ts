import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { promptOf } from "../../../agents/claude/hooks.ts";
import { replay } from "../../../core/model/state/state.ts";
import { encodeState } from "../../../core/model/state/state-text.ts";

const edit = (file_path: string) => ({
  hook_event_name: "PermissionRequest",
  tool_name: "Edit",
  tool_input: { file_path, old_string: "two", new_string: "2" },
});

describe("a dialog about a file", () => {
  it("is recorded with what would change, as the file was then; its hash is that of the call alone", async () => {
    const { send, pending, ports, engine } = await hookedAgent();
    ports.readSource.sources.set("/shop/a.ts", "one\ntwo\nthree\n");
    void send(edit("/shop/a.ts"));
    await settled();
    ports.readSource.sources.set("/shop/a.ts", "something else");
    const [decision] = await pending();
    assert.deepEqual(decision?.action?.diff, {
      path: "/shop/a.ts",
      text: "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
      is_new: false,
      cut: 0,
      unread: null,
    });
    assert.equal(decision?.action?.sha256, promptOf(edit("/shop/a.ts")).sha256);
    const live = await engine.read((state) => encodeState(state));
    assert.equal(encodeState(replay(ports.log.committed())), live);
  });

  it("has its diff as well if it was found on the screen, without a hook", async () => {
    const { hooks, id, pending, ports } = await hookedAgent();
    ports.readSource.sources.set("/shop/a.ts", "two\n");
    await hooks.saw(id, { type: "prompted", prompt: promptOf(edit("/shop/a.ts")) });
    assert.equal((await pending())[0]?.action?.diff?.text, "@@ -1,1 +1,1 @@\n-two\n+2");
  });

  it("is asked about without one if the call changes no file", async () => {
    const { send, pending } = await hookedAgent();
    void send({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" } });
    await settled();
    assert.deepEqual(Object.keys((await pending())[0]?.action ?? {}), ["tool", "input", "sha256"]);
  });
});
