/** The real Gemini CLI as a person runs it, outside oj, with the hooks of `oj init gemini`. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { startModelServer } from "../specs/support/model-server.ts";
import { ownSession } from "../specs/support/own-session.ts";
import { describeAllOfGemini } from "./describe.ts";
import { generate, shell, text } from "./model-api.ts";
import { installed, settle } from "./stage.ts";

const PERMISSION = /Allow execution of[\s\S]*● 1\. Allow once/;

describeAllOfGemini("in a session with our hooks", () => {
  it("keeps its permissions, hears the answers to its requests, and is held at its end", async () => {
    const script = [
      shell("touch one"),
      shell("oj decision request --prompt 'Which way?' --option A --option B"),
      text("Asked."),
      text("Fine. Shall I go on?"),
      text("Bye."),
    ];
    const model = await startModelServer({ all: script }, generate);
    const own = await ownSession({
      init: ["gemini", "--wait", "10m"],
      start: ["gemini", "-i", "Please play #s:all"],
      model,
      settle: (project) => settle(project, installed.bin ?? assert.fail(), model.url),
    });
    const { asked, answer, heard } = own;
    await own.shows(PERMISSION);
    assert.deepEqual(await own.json("decision", "list"), []);
    own.press("Enter");
    await heard(1);
    await own.shows(/oj decision request[\s\S]*● 1\. Allow once/);
    own.press("Enter");
    await heard(2);
    const which = await asked("request");
    assert.match(String(which.requested_by), /^session-/);
    await answer(which.id, "2", "-m", "the scenic one");
    assert.match(await heard(3), /Which way\?.*B.*the scenic one/s, "its turn is held, and goes on");
    const idle = await asked("idle");
    assert.match(idle.title, /Shall I go on\?$/);
    await answer(idle.id, "1", "-m", "No, thanks");
    assert.match(await heard(4), /No, thanks/);
    await asked("idle");
    assert.ok(fs.existsSync(path.join(own.dir, "one")));
    await own.kill();
    assert.equal((await own.run("init", "gemini", "--remove")).code, 0);
    assert.ok(!fs.existsSync(path.join(own.dir, ".gemini")), "nothing else was in it");
  });
});
