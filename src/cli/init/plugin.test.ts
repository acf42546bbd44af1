import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { fakeClient, fakeContext } from "../../../test/fakes/fake-client.ts";
import { askingLines } from "../../core/text/asking-words.ts";
import { command } from "../init.ts";

type Flags = Record<string, boolean | string>;

function project() {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "oj-plugin-"));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const init = async (flags: Flags) => {
    const context = fakeContext(fakeClient());
    Object.assign(context.config, { root, home: path.join(root, "home"), stateDir: root });
    await command.run(context, ["claude"], flags as never);
    return context.stdout();
  };
  const files = () =>
    fs
      .readdirSync(root, { encoding: "utf8", recursive: true })
      .filter((it) => fs.statSync(path.join(root, it)).isFile())
      .sort();
  const folder = path.join(root, ".oj/claude-plugin");
  const textOf = (name: string) => fs.readFileSync(path.join(folder, name), "utf8");
  return { root, folder, init, files, textOf };
}

describe("oj init claude --plugin", () => {
  it("writes hooks, the MCP server, a skill with the words of the reminder, and a command", async () => {
    const { init, textOf, folder } = project();
    const said = await init({ plugin: true, wait: "10m" });
    assert.ok(said.includes(`/plugin marketplace add ${folder}`), said);
    const { hooks } = JSON.parse(textOf("oj/hooks/hooks.json"));
    assert.match(hooks.Stop[0].hooks[0].command, /wait_s=600/);
    assert.deepEqual(JSON.parse(textOf("oj/.mcp.json")).mcpServers.oj.args, ["mcp"]);
    for (const line of askingLines()) assert.ok(textOf("oj/skills/ask/SKILL.md").includes(line), line);
    assert.match(textOf("oj/commands/decide.md"), /\$ARGUMENTS/);
    assert.equal(JSON.parse(textOf(".claude-plugin/marketplace.json")).plugins[0].source, "./oj");
  });

  it("replaces what it wrote, says so when nothing changed, and removes all of it", async () => {
    const { init, files, textOf, root } = project();
    fs.mkdirSync(path.join(root, ".oj"));
    await init({ plugin: true });
    assert.match(await init({ plugin: true }), /is as it should be/);
    await init({ plugin: true, soft: true });
    assert.match(textOf("oj/hooks/hooks.json"), /soft=true/);
    assert.match(await init({ plugin: true, remove: true }), /removed our plugin/);
    assert.deepEqual(files(), []);
    assert.ok(fs.existsSync(path.join(root, ".oj")));
    assert.match(await init({ plugin: true, remove: true }), /there is no plugin of ours/);
  });

  it("leaves alone what somebody changed or put there, and what its list should not name", async () => {
    const { init, folder, files, textOf, root } = project();
    fs.mkdirSync(path.join(folder, "oj/commands"), { recursive: true });
    fs.writeFileSync(path.join(folder, "oj/commands/decide.md"), "mine\n");
    assert.match(await init({ plugin: true }), /decide\.md was changed by somebody and is left alone/);
    fs.appendFileSync(path.join(folder, "oj/skills/ask/SKILL.md"), "Also mine.\n");
    fs.writeFileSync(path.join(root, "precious"), "");
    const list = path.join(folder, "written-by-oj.json");
    const written = JSON.parse(fs.readFileSync(list, "utf8"));
    // the hash of an empty text: as if we had written that file
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    fs.writeFileSync(list, JSON.stringify({ ...written, "../../precious": empty }));
    await init({ plugin: true, remove: true });
    assert.deepEqual(files(), [
      ".oj/claude-plugin/oj/commands/decide.md",
      ".oj/claude-plugin/oj/skills/ask/SKILL.md",
      "precious",
    ]);
    assert.equal(textOf("oj/commands/decide.md"), "mine\n");
  });

  it("refuses to ask everything twice, whichever came first", async () => {
    const { init } = project();
    await init({ plugin: true });
    await assert.rejects(init({}), /asked twice/);
    await init({ plugin: true, remove: true });
    await init({});
    await assert.rejects(init({ plugin: true }), /asked twice/);
    await init({ remove: true });
    await init({ plugin: true });
  });
});
