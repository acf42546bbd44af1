import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { programVersions } from "../../src/adapters/system/program-versions.ts";
import { tempFolder } from "./temp.ts";

describe("the version of a program", () => {
  async function program(name = "claude", version = "1.2.3 (Claude Code)") {
    const dir = await tempFolder();
    const asked = path.join(dir, "asked");
    const file = path.join(dir, name);
    const write = (text: string) => {
      fs.writeFileSync(file, `#!/bin/sh\necho x >> ${asked}\n${text}\n`, { mode: 0o755 });
    };
    write(`echo "${version}"`);
    const times = () => (fs.existsSync(asked) ? fs.readFileSync(asked, "utf8").split("\n").length - 1 : 0);
    return { dir, file, write, times, at: { cwd: dir, env: { PATH: `/nowhere:${dir}:/usr/bin:/bin` } } };
  }

  it("is looked up once, however many agents start, and again when the file has changed", async () => {
    const { version } = programVersions();
    const { at, times, write } = await program();
    const many = await Promise.all(Array.from({ length: 20 }, () => version("claude", at)));
    assert.deepEqual([...new Set(many)], ["1.2.3"]);
    assert.equal(times(), 1);
    write(`echo "2.0.0 (Claude Code), newer"`);
    assert.equal(await version("claude", at), "2.0.0");
    assert.equal(times(), 2);
  });

  it("is found through a path too, from the agent's folder", async () => {
    const { version } = programVersions();
    const { at, file } = await program();
    assert.equal(await version(file, at), "1.2.3");
    assert.equal(await version("./claude", at), "1.2.3");
  });

  it("is unknown if there is no such program, or it does not say", async () => {
    const { version } = programVersions();
    const { at, write } = await program();
    assert.equal(await version("nothing-of-that-name", at), null);
    write("exit 3");
    assert.equal(await version("claude", at), null);
  });
});
