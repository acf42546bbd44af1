import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { approval } from "../../../test/fakes/agents.ts";
import { forever } from "../../../test/fakes/forever.ts";
import { hookedSession } from "../../../test/fakes/hooked-session.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { claudeSession } from "../../agents/claude/session.ts";
import { startSessionDialogs } from "./dialogs.ts";

type Hooked = ReturnType<typeof hookedSession>;

const bash = { tool_name: "Bash", tool_input: { command: "make" } };

/** What the disk is busy with when a dialog is reported. */
const writing: Record<string, (it: Hooked) => Promise<unknown>> = {
  "the dialog itself": async () => undefined,
  "something else": (it) => it.put("m1"),
};

/** How we hear that somebody answered in the terminal. */
const ends: Record<string, object> = {
  PostToolUse: bash,
  Stop: { last_assistant_message: "Done." },
  UserPromptSubmit: { prompt: "Go on." },
  SessionEnd: {},
};

describe("a session's dialog that is over while the disk still writes", () => {
  for (const [busy, begin] of Object.entries(writing))
    for (const [name, more] of Object.entries(ends))
      it(`${busy} is not asked about any more: ${name}`, async () => {
        const it = hookedSession();
        await it.send("SessionStart", {});
        it.log.hold();
        const other = begin(it);
        await settled();
        const asking = it.send("PermissionRequest", bash);
        await settled();
        const ending = it.send(name, more);
        await settled();
        assert.equal(it.log.held(), 1);
        it.log.release();
        await Promise.all([other, ending]);
        await settled();
        assert.deepEqual(await it.engine.read((state) => [...state.pending]), []);
        assert.deepEqual((await asking).body, {});
      });

  it("and neither is one that was not even read in full, but the next one of that name is", async () => {
    const { engine, journal } = hookedSession();
    const { ask, wentOn } = startSessionDialogs(engine, { journal }, forever);
    const from = { session: "s1", project: "shop", cwd: "/nowhere/shop" };
    let read = () => {};
    const until = new Promise<void>((resolve) => (read = resolve));
    const dialog = { prompt: approval, look: null, last_message: "" };
    const asks = (prepare: () => Promise<typeof dialog>) =>
      ask(claudeSession, from, { name: "t", isSubagents: false, prepare }, forever);
    const first = asks(() => until.then(() => dialog));
    const second = asks(() => until.then(() => dialog));
    await wentOn("s1", { name: "t" });
    read();
    assert.deepEqual(await first, { body: {} });
    await settled();
    const pending = () => engine.read((state) => [...state.pending]);
    assert.equal((await pending()).length, 1);
    await wentOn("s1", { name: "t" });
    assert.deepEqual(await second, { body: {} });
    assert.deepEqual(await pending(), []);
  });
});
