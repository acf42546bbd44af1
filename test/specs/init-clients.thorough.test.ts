/** `oj init CLIENT` and `--remove`, for every client and every state that its folder may be in: not a byte is left. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { tempProject } from "./support/project.ts";

const CLIENTS = [
  { name: "claude", project: ".claude/settings.json", user: ".claude/settings.json" },
  { name: "codex", project: ".codex/hooks.json", user: ".codex/hooks.json" },
  { name: "opencode", project: ".opencode/plugins/oj.js", user: ".config/opencode/plugins/oj.js" },
  { name: "gemini", project: ".gemini/settings.json", user: ".gemini/settings.json" },
];

/** Every file and folder below, with its bytes. */
function treeOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { encoding: "utf8", recursive: true })
    .map((name) => {
      const file = path.join(folder, name);
      return fs.statSync(file).isFile() ? `${name}: ${fs.readFileSync(file, "utf8")}` : `${name}/`;
    })
    .sort();
}

describe("oj init CLIENT", () => {
  for (const { name, project: inProject, user } of CLIENTS)
    it(`${name}: added, added again, and removed without a trace`, async () => {
      const project = await tempProject();
      const { dir, home } = project;
      fs.mkdirSync(path.join(home, ".config")); // everybody has it, and it stays
      const files = { project: path.join(dir, inProject), user: path.join(home, user) };
      const isJson = files.project.endsWith(".json");
      const before: Record<string, string | null> = {
        "no file": null,
        ...(isJson ? { "settings of their own": `{\n\t"theirs": [1, 2],\n\t"hooks": {}\n}\n` } : {}),
      };
      for (const [what, text] of Object.entries(before))
        for (const [place, file, flags] of [
          ["the project", files.project, []],
          ["the person", files.user, ["--global"]],
        ] as const) {
          if (text !== null) {
            fs.mkdirSync(path.dirname(file), { recursive: true });
            fs.writeFileSync(file, text);
          }
          const was = [treeOf(dir), treeOf(home)];
          const init = async (...more: string[]) => {
            const said = await project.run("init", name, ...flags, ...more);
            assert.equal(said.code, 0, `${what}, ${place}: ${said.stderr}`);
            return said.stdout;
          };
          assert.match(await init(), /✓ added our hooks to/);
          assert.ok(fs.readFileSync(file, "utf8").includes(`oj init ${name}`));
          assert.match(await init(), /nothing changed/);
          assert.match(await init("--hold-turns", "--wait", "5m"), /✓ replaced our hooks in/);
          assert.match(await init("--remove"), /✓ removed our hooks from/);
          assert.deepEqual([treeOf(dir), treeOf(home)], was, `${what}, ${place}`);
          assert.match(await init("--remove"), /has no hooks of ours/);
          if (text !== null) fs.rmSync(file);
        }
    });

  it("opencode: a plugin that somebody wrote or changed is left alone", async () => {
    const project = await tempProject({ ".opencode/plugins/oj.js": "export const mine = 1;\n" });
    const file = path.join(project.dir, ".opencode/plugins/oj.js");
    const refused = async (...more: string[]) => {
      const text = fs.readFileSync(file, "utf8");
      const { code, stderr } = await project.run("init", "opencode", ...more);
      assert.equal(fs.readFileSync(file, "utf8"), text);
      return code === 0 ? "" : stderr;
    };
    assert.match(await refused(), /is not our plugin. It was left alone/);
    fs.rmSync(file);
    await project.run("init", "opencode");
    fs.appendFileSync(file, "// mine\n");
    assert.match(await refused("--remove"), /somebody has changed our plugin/);
    assert.match(await refused(), /somebody has changed our plugin/);
  });
});
