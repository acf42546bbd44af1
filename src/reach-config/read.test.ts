import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "vitest";
import { loadConfig } from "../config.ts";
import { ConfigError } from "../settings.ts";
import { reachConfig } from "./read.ts";
import { readSecret } from "./secret.ts";

let home: string;
let file: string;
let config: { env: Record<string, string>; home: string };

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "oj-reach-"));
  file = path.join(home, ".config/oj/config.toml");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  config = { env: { HOME: home }, home };
});
afterEach(() => fs.rmSync(home, { recursive: true }));

describe("the person's config", () => {
  it("is read again when the file changes, is replaced or goes away", () => {
    const read = reachConfig(config);
    const names = () => [...read().config.people.keys()];
    assert.deepEqual(names(), []);
    fs.writeFileSync(file, '[person.ana]\nmail = "a@x.y"\n');
    assert.deepEqual(names(), ["ana"]);
    assert.equal(read().config, read().config, "the same object while nothing changes");
    fs.writeFileSync(`${file}.new`, '[person.ben]\nmail = "a@x.y"\n'); // of the same size
    fs.renameSync(`${file}.new`, file);
    assert.deepEqual(names(), ["ben"]);
    fs.rmSync(file);
    assert.deepEqual(names(), []);
  });

  it("stays as it was while the file is broken, and says so once", () => {
    const told: string[] = [];
    const read = reachConfig(config, (problem) => told.push(problem));
    fs.writeFileSync(file, '[person.ana]\nmail = "a@x.y"\n');
    const good = read().config;
    for (const broken of ["[person.ana", '[person.ana]\nmial = "a@x.y"\n']) {
      fs.writeFileSync(file, broken);
      assert.equal(read().config, good);
      assert.equal(read().config, good);
    }
    assert.equal(told.length, 2);
    assert.match(told[0] ?? "", /is not TOML/);
    assert.match(told[1] ?? "", /config\.toml: person\.ana\.mial is unknown; did you mean "mail"\?/);
    assert.equal(read().problem, told[1]);
    fs.writeFileSync(file, "");
    assert.equal(read().problem, null);
  });

  it("may have people where the settings are read, but a project's file may not", () => {
    fs.writeFileSync(
      file,
      '[person.ana]\nmail = "a@x.y"\n[jobs]\nmax_entries = 7\n[[route]]\nnotify = ["ana"]\n',
    );
    assert.equal(loadConfig(config.env, home).settings.jobs.max_entries, 7);
    fs.mkdirSync(path.join(home, "shop/.oj"), { recursive: true });
    for (const text of [
      "[person.eve]",
      "[group]",
      "[rota.x]",
      "[channel.slack]",
      "[[route]]",
      "[web]",
      "[oidc]",
    ]) {
      fs.writeFileSync(path.join(home, "shop/.oj/config.toml"), text);
      assert.throws(
        () => loadConfig(config.env, path.join(home, "shop")),
        (error) => error instanceof ConfigError && /belongs in your own settings/.test(error.message),
        text,
      );
    }
  });
});

describe("a secret", () => {
  const write = (mode: number, text = "xoxb-1\n") => {
    fs.writeFileSync(path.join(path.dirname(file), "token"), text);
    fs.chmodSync(path.join(path.dirname(file), "token"), mode);
  };

  it("is read from a file beside the config, or in the home folder", async () => {
    write(0o600);
    assert.equal(await readSecret("token", config), "xoxb-1");
    assert.equal(await readSecret("~/.config/oj/token", config), "xoxb-1");
    assert.equal(await readSecret(path.join(path.dirname(file), "token"), config), "xoxb-1");
  });

  it("is refused where others may read it, and never repeated", async () => {
    for (const mode of [0o640, 0o604, 0o644]) {
      write(mode);
      await assert.rejects(readSecret("token", config), /can be read by others: chmod 600 (?!.*xoxb)/);
    }
    write(0o600, " \n");
    await assert.rejects(readSecret("token", config), /is empty/);
    await assert.rejects(readSecret("none", config), /none can't be read: ENOENT/);
    await assert.rejects(readSecret(path.dirname(file), config), /is not a file/);
  });
});
