import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Job } from "./support/views.ts";

const OJ = path.join(import.meta.dirname, "../../dist/oj.cjs");

/** The whole tour is created in a folder of its own below this one. */
async function withTemp(): Promise<{ project: Project; left: () => string[] }> {
  const project = await tempProject({ "tmp/keep": "" });
  const folder = path.join(project.dir, "tmp");
  project.env.TMPDIR = folder;
  return {
    project,
    left: () => [...fs.readdirSync(folder).filter((it) => it !== "keep"), ...serversOf(folder)],
  };
}

/** A tmux server has nothing about the tour in its environment, only in its arguments. */
function serversOf(folder: string): string[] {
  return fs.readdirSync("/proc").flatMap((name) => {
    try {
      const command = /^\d+$/.test(name) ? fs.readFileSync(`/proc/${name}/cmdline`, "utf8") : "";
      return command.startsWith("tmux") && command.includes(`${folder}/oj-demo-`) ? [command] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** A PATH with little more than a shell. */
function onlyPrograms(project: Project, names: string[]): void {
  const bin = path.join(project.dir, "bin");
  fs.mkdirSync(bin);
  for (const name of names) {
    const folders = (project.env.PATH ?? "").split(":");
    const from = folders.map((it) => path.join(it, name)).find((it) => fs.existsSync(it));
    if (from) fs.symlinkSync(from, path.join(bin, name));
  }
  project.env.PATH = bin;
}

const SHELL = ["bash", "sh", "sleep", "cat", "env", "mkdir", "kill", "grep", "tee"];

describe("oj demo", () => {
  it("shows four agents that need a person, answers by itself if nobody is there, and leaves nothing behind", async () => {
    const { project, left } = await withTemp();
    const { stdout, stderr, code } = await project.run("demo");
    assert.equal(code, 0, stderr);
    for (const line of [
      /^\$ oj run cart$/m,
      /^shop {2}4 waiting, 4 decisions pending, 4 agents \(0 working\)$/m,
      /^How should prices be rounded\?$/m,
      /^ {2}│ {2}2\. Answer `\/search\?q=` from the index$|^ {2}│ 2\. Answer `\/search\?q=` from the index$/m,
      /^ {2}┃ \.\/publish\.sh 1\.2\.0$/m,
      /^ {2}│ FAIL {2}mail: expected the state to be sent$/m,
      /^\$ kill -9 \d+$/m,
      /^The tour answers by itself here:$/m,
      /sent back with what the gate printed$/m,
      /\(the daemon is killed with kill -9, and started again\)$/m,
      /^All 4 jobs completed\. 4 answers were given, 4 arrived\.$/m,
    ])
      assert.match(stdout, line);
    const tracks = stdout.match(/^ {2}answered → delivered after \S+ → acknowledged after \S+$/gm) ?? [];
    assert.equal(tracks.length, 4);
    assert.deepEqual(left(), []);
    assert.equal(await project.daemonPid(), null, "the person's own daemon was not touched");
    assert.equal(fs.existsSync(project.stateDir), false);
  });

  also("gives its result as JSON, with the tour on stderr", async () => {
    const { project } = await withTemp();
    const { jobs } = await project.json<{ jobs: Job[] }>("demo");
    assert.deepEqual(jobs.map((it) => `${it.name} ${it.status}`).sort(), [
      "cart completed",
      "release completed",
      "search completed",
      "tests completed",
    ]);
  });

  also("says so if there is no tmux, and shows a job that asks instead; the same without git", async () => {
    const { project, left } = await withTemp();
    onlyPrograms(project, SHELL);
    const { stdout, stderr, code } = await project.run("demo");
    assert.equal(code, 0, stderr);
    for (const line of [
      /^Agents run in tmux, and tmux is not installed/m,
      /^\$ oj run release 1\.2\.0$/m,
      /│ 1\.2\.0: the cart counts prices, not items/,
      /^ {2}1 {2}★ Ship it .*recommended$/m,
      /^note: go ahead, the numbers are right$/m,
      /^The job completed\.$/m,
    ])
      assert.match(stdout, line);
    assert.deepEqual(left(), []);
  });

  also("leaves nothing behind when it is interrupted, at any point", async () => {
    for (const mark of ["$ oj run tests", "$ kill -9"]) {
      const { project, left } = await withTemp();
      const running = project.start("demo");
      await project.until(() => running.stdout().includes(mark));
      running.kill("SIGINT");
      const { code } = await running.ended;
      assert.ok(code === 130 || code === 0, `${code}`);
      await project.until(() => left().length === 0, "everything is removed");
    }
  });

  it("opens the inbox at a terminal: four steps of two keys each, and then the browser", async () => {
    const { project, left } = await withTemp();
    const terminal = openTerminal(project, "demo", { columns: 120, rows: 50 });
    let keys = 0;
    const press = (key: string) => {
      terminal.press(key);
      keys += 1;
    };
    for (const step of [1, 2, 3, 4]) {
      const asks = new RegExp(`^ Step ${step} of 4 {2}.*: press (\\d) for "(.*)", then Enter`, "m");
      const [, number = "", label = ""] = await project.until(() => asks.exec(terminal.all()));
      press(number);
      await project.until(() => terminal.all().includes(`Enter sends "${label}".`));
      press("Enter");
    }
    await project.until(() => /^ All answered/m.test(terminal.all()));
    await project.until(() => terminal.all().includes("b            opens it there"));
    assert.match(terminal.all(), /^All 4 jobs completed\. 4 answers were given, 4 arrived\.$/m);
    assert.equal(keys, 8);
    assert.doesNotMatch(terminal.all(), /waiting for you/, "the inbox is off the screen");

    terminal.press("b");
    const link = /^ {2}(http:\S+#login=\S+)$/m;
    const [, url = ""] = await project.until(() => link.exec(terminal.all()));
    assert.equal((await fetch(url)).status, 200);
    terminal.press("x");
    await project.until(() => terminal.all().includes("exit code 0"));
    await project.until(() => left().length === 0, "everything is removed");
  });

  also(
    "leaves nothing behind when its inbox is left early: by q, Ctrl-C, or a terminal that is closed",
    async () => {
      for (const leave of ["q", "C-c", "close"]) {
        const { project, left } = await withTemp();
        const terminal = openTerminal(project, "demo");
        await project.until(() => /^ Step 1 of 4/m.test(terminal.all()));
        if (leave === "close") terminal.close();
        else {
          terminal.press(leave);
          await project.until(() => /exit code 0/.test(terminal.all()));
        }
        await project.until(() => left().length === 0, `everything is removed after ${leave}`);
      }
    },
  );

  also("can be left on a terminal that is too small for it", async () => {
    const { project, left } = await withTemp();
    const terminal = openTerminal(project, "demo", { columns: 12, rows: 4 });
    await project.until(() => /oj/.test(terminal.all()) && left().length > 1);
    terminal.press("q");
    await project.until(() => /exit code 0/.test(terminal.all()));
    await project.until(() => left().length === 0, "everything is removed");
  });
});

interface Terminal {
  /** Everything that was printed, long lines joined. */
  all(): string;
  press(...keys: string[]): void;
  close(): void;
}

/** `oj` at a terminal: the test's own tmux. */
function openTerminal(project: Project, command: string, { columns = 100, rows = 30 } = {}): Terminal {
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-u", "-f", "/dev/null", "-S", path.join(project.home, "terminal"), ...words], {
      env: project.env,
      encoding: "utf8",
    });
  const run = `'${process.execPath}' '${OJ}' ${command}; echo "exit code $?"; sleep 100`;
  tmux(
    "set-option",
    "-g",
    "history-limit",
    "5000",
    ";",
    "new-session",
    "-d",
    "-x",
    `${columns}`,
    "-y",
    `${rows}`,
    run,
  );
  let isOpen = true;
  const close = () => {
    if (isOpen) tmux("kill-server");
    isOpen = false;
  };
  onTestFinished(close);
  return {
    all: () => tmux("capture-pane", "-p", "-J", "-S", "-"),
    press: (...keys) => void tmux("send-keys", ...keys),
    close,
  };
}
