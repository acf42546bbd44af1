/** What a daemon must not load to do its daily work: each would cost every start. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { tempProject } from "./support/project.ts";

/** Notes at its end what of Node a daemon has loaded. */
const NOTES = `
  if (/daemon\\.cjs$/.test(process.argv[1] ?? ""))
    process.once("exit", () => require("node:fs").writeFileSync(__filename + ".loaded", process.moduleLoadList.join("\\n")));
`;

describe("a daemon that asks, lists and answers", () => {
  it("loads neither Node's HTTP client nor HTTP/2, which nobody speaks with it", async () => {
    const project = await tempProject({ "notes.cjs": NOTES });
    const notes = path.join(project.dir, "notes.cjs");
    project.env.NODE_OPTIONS = `--require ${notes}`;
    const asked = ["--prompt", "Ship it?", "--option", "Yes", "--option", "No"];
    const { id } = await project.json<{ id: string }>("decision", "request", ...asked);
    await project.json("decision", "list");
    await project.json("decision", "resolve", id, "1");
    await project.json("status");
    const { code, stderr } = await project.run("daemon", "stop");
    assert.equal(code, 0, stderr);
    const loaded = fs.readFileSync(`${notes}.loaded`, "utf8").split("\n");
    assert.ok(loaded.includes("NativeModule http"), "the notes are those of a daemon");
    assert.deepEqual(
      loaded.filter((it) => /undici|http2/.test(it)),
      [],
    );
  });
});
