import assert from "node:assert/strict";
import path from "node:path";
import { it } from "vitest";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import { bash, text } from "./model-api.ts";
import { ownSession } from "./own-session.ts";

interface Decision {
  id: string;
  requested_by: string;
  title: string;
}

/** What the client says that it has loaded. */
interface Loaded {
  slash_commands: string[];
  skills: string[];
  mcp_servers: { name: string; status: string }[];
}

describeClaude("in a session with our plugin", () => {
  it("has its hooks: the answer to what it asks is the next thing that it reads", async () => {
    const asks = bash('oj decision request --option A --option B --prompt "Which way?"');
    const stage = await ownSession(
      { waits: [asks, text("Asked."), text("B it is.")] },
      { init: ["--plugin", "--wait", "2m"] },
    );
    await stage.run("daemon", "start");
    const plugin = path.join(stage.dir, ".oj/claude-plugin/oj");
    const ended = stage.claude("waits", "--plugin-dir", plugin);
    const [decision] = await stage.until(async () => {
      const all = await stage.json<Decision[]>("decision", "list");
      return all.length > 0 && all;
    }, "a decision");
    assert.match(decision?.requested_by ?? "", /^session-/);
    await stage.heard("waits", 1);
    await stage.run("decision", "resolve", decision?.id ?? "", "2", "-m", "the scenic one");
    assert.match(await stage.heard("waits", 2), /Which way\?.*B.*the scenic one/s);
    assert.deepEqual(await ended, { code: 0, output: "B it is.\n" });
    const { stdout } = await stage.run("init", "claude", "--plugin", "--remove");
    assert.match(stdout, /removed our plugin/);
  });

  also("has its server, its skill and its command", async () => {
    const stage = await ownSession({ plain: [text("Hello.")] }, { init: ["--plugin"] });
    await stage.run("daemon", "start");
    const plugin = path.join(stage.dir, ".oj/claude-plugin/oj");
    const { code, output } = await stage.claude(
      "plain",
      ...["--plugin-dir", plugin, "--output-format", "stream-json", "--verbose"],
    );
    assert.equal(code, 0, output);
    const [said] = output.split("\n").filter((it) => it.includes('"subtype":"init"'));
    const { slash_commands, skills, mcp_servers } = JSON.parse(said ?? "{}") as Loaded;
    assert.ok(slash_commands.includes("oj:decide"), said);
    assert.ok(skills.includes("oj:ask"), said);
    assert.deepEqual(
      mcp_servers.map(({ name }) => name),
      ["plugin:oj:oj"],
    );
  });
});
