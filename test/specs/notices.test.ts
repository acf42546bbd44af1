import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { call, question } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Desk extends Project {
  /** What the desktop was told: a line of arguments for each notice. */
  told(): string[];
  ask(prompt: string, ...more: string[]): Promise<string>;
}

/** A project on a machine with a desktop, which is a `notify-send` that writes down what it is given. */
async function desk(files: Record<string, string> = {}): Promise<Desk> {
  const project = await tempProject(files);
  const [bin, told] = [path.join(project.home, "bin"), path.join(project.home, "told")];
  fs.mkdirSync(bin);
  const script = `#!/bin/sh\nline=$(IFS='|'; printf '%s' "$*" | tr '\\n' '/')\nprintf '%s\\n' "$line" >> '${told}'\n`;
  fs.writeFileSync(path.join(bin, "notify-send"), script, { mode: 0o755 });
  project.env.PATH = `${bin}:${project.env.PATH}`;
  return Object.assign(project, {
    told: () => (fs.existsSync(told) ? fs.readFileSync(told, "utf8").split("\n").slice(0, -1) : []),
    ask: async (prompt: string, ...more: string[]) => {
      const asked = ["decision", "request", "--prompt", prompt, "--option", "Yes", "--option", "No"];
      return (await project.json<{ id: string }>(...asked, ...more)).id;
    },
  });
}

const START = "--app-name=oj|--urgency";

describe("the desktop", () => {
  it("hears of a request, and of a job without a notify block", async () => {
    const project = await desk({
      ".oj/runbooks/ship.hcl": `
        command "ship" { run = { job = "ship" } }
        job "ship" { step "ask" { decision { prompt = "Ship it?" option "yes" {} option "no" {} } } }`,
    });
    await project.ask("Which cache?", "--as", "builder");
    await project.until(() => project.told().length === 1);
    await project.run("run", "ship");
    await project.until(() => project.told().length === 2);
    assert.deepEqual(project.told(), [
      `${START}=normal|--|oj: builder in shop|Which cache?`,
      `${START}=normal|--|oj: ship · ask in shop|Ship it?`,
    ]);
  });

  it("gets one notice for several, none for what can wait, and the daemon knows when to be quiet", async () => {
    const project = await desk();
    assert.equal((await project.run("quiet")).stdout, "you get notices\n");
    assert.equal((await project.run("quiet", "on")).stdout, "quiet: you get no notices\n");
    await project.run("daemon", "start");
    const isQuiet = async () => (await project.json<{ quiet: boolean }>("daemon", "status")).quiet;
    assert.equal(await isQuiet(), true);
    assert.equal((await project.run("quiet", "off")).code, 0);
    assert.equal(await isQuiet(), false, "the daemon that is running obeys");

    // after one notice there is none for some seconds: what is asked meanwhile comes together
    await project.ask("First?", "--as", "ana");
    await project.until(() => project.told().length === 1);
    for (const [as, urgency, prompt] of [
      ["ben", "low", "Can it wait?"],
      ["cid", "high", "Now?"],
      ["dan", "high", "Or now?"],
    ]) {
      const body = { ...question(project, prompt ?? ""), as, urgency };
      assert.equal((await call(project, "POST", "/decisions", { body })).status, 200);
    }
    await project.until(() => project.told().length === 2);
    const [, told = ""] = project.told();
    assert.doesNotMatch(told, /wait\?/);
    assert.match(told, /=critical\|--\|oj: 2 decisions wait for you\|cid: .*\/dan: /);
  });

  also("refuses anything but on and off, and keeps the rest of the settings", async () => {
    const project = await desk();
    const file = path.join(project.home, ".config/oj/config.toml");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "# mine\n[log]\nlevel = 'warn' # less\n");
    assert.equal((await project.run("quiet", "perhaps")).code, 2);
    await project.run("quiet", "on");
    const mine = "# mine\n[log]\nlevel = 'warn' # less\n\n[notices]\nquiet = ";
    assert.equal(fs.readFileSync(file, "utf8"), `${mine}true\n`);
    assert.deepEqual(await project.json("quiet", "off"), { quiet: false, file });
    assert.equal(fs.readFileSync(file, "utf8"), `${mine}false\n`);
  });
});
