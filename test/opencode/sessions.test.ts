/** The real opencode as a person runs it, outside oj, with the plugin of `oj init opencode`. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Step } from "../specs/support/model-server.ts";
import { startModelServer } from "../specs/support/model-server.ts";
import { ownSession } from "../specs/support/own-session.ts";
import { describeAllOfOpencode } from "./describe.ts";
import { bash, completions, text, tool } from "./model-api.ts";
import { installed, settle } from "./stage.ts";

async function session(script: Step[], ...flags: string[]) {
  const model = await startModelServer({ all: script }, completions);
  const own = await ownSession({
    init: ["opencode", ...flags],
    start: ["opencode"],
    model,
    settle: (project) => settle(project, installed.bin ?? assert.fail(), model.url),
  });
  await say(own, /Ask anything/, "Please play #s:all"); // on a loaded machine, opencode forgets its --prompt
  return own;
}

/** As a person types it. */
async function say(own: Awaited<ReturnType<typeof ownSession>>, once: RegExp, words: string): Promise<void> {
  await own.shows(once);
  own.press("-l", words);
  await own.shows(new RegExp(words));
  own.press("Enter");
}

const question = {
  question: "Which database?",
  header: "Database",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: "A server" },
  ],
};

describeAllOfOpencode("in a session with our plugin", () => {
  it("is answered from the inbox or in its terminal, and woken with a reply", async () => {
    /** Permissions, a change of a file, a question, a request of its own, and words after its turn. */
    const answered = async () => {
      const request = `oj decision request --prompt 'Which way?' --option A --option B`;
      const own = await session([
        bash("touch one"),
        bash("touch two"),
        tool("write", { filePath: "made.txt", content: "hello\n" }),
        tool("question", { questions: [question] }),
        bash(request),
        text("Asked."),
        text("Fine. Shall I go on?"),
        text("Bye."),
      ]);
      const { asked, answer, heard } = own;
      const one = await asked("approval");
      assert.equal(one.title, "Bash: touch one");
      await answer(one.id, "1", "-m", "mind the gap");
      assert.match(await heard(1), /mind the gap/, "words with a Yes go with the call's result");
      await answer((await asked("approval")).id, "2", "-m", "Not in this folder.");
      assert.match(await heard(2), /Not in this folder\./);
      const write = await asked("approval");
      assert.match(JSON.stringify(write.action?.input), /made\.txt.*\+hello/);
      await answer(write.id, "1");
      await heard(3);
      await answer((await asked("question")).id, "2");
      assert.match(await heard(4), /Which database\?.*Postgres/);
      await answer((await asked("approval")).id, "1");
      await heard(5);
      const which = await asked("request");
      assert.match(String(which.requested_by), /^session-/);
      await answer(which.id, "2", "-m", "the scenic one");
      assert.match(await heard(6), /Which way\?.*B.*the scenic one/s, "its turn was over, and goes on");
      const idle = await asked("idle");
      assert.match(idle.title, /Shall I go on\?$/);
      await answer(idle.id, "1", "-m", "No, thanks");
      assert.match(await heard(7), /No, thanks/);
      const made = ["one", "two", "made.txt"].filter((it) => fs.existsSync(path.join(own.dir, it)));
      assert.deepEqual(made, ["one", "made.txt"]);
      await own.kill();
    };

    /** In the terminal: a permission, and the next prompt. Then `--remove` leaves nothing of ours. */
    const typed = async () => {
      const own = await session([bash("touch one"), text("Done.")]);
      const { id } = await own.asked("approval");
      await own.shows(/Permission required[\s\S]*Allow once/);
      own.press("Enter");
      await own.heard(1);
      await own.ended(id, /answered in the terminal/);
      const idle = await own.asked("idle");
      assert.equal(idle.title, "Stopped: Done.");
      await say(own, /Done\./, "hello again");
      await own.ended(idle.id, /it continued in its terminal/);
      await own.kill();
      const plugin = path.join(own.dir, ".opencode/plugins/oj.js");
      assert.ok(fs.existsSync(plugin));
      assert.equal((await own.run("init", "opencode", "--remove")).code, 0);
      assert.ok(!fs.existsSync(path.dirname(plugin)));
    };

    await answered(); // one after the other: each takes two cores as it starts
    await typed();
  });
});
