/** The real Codex as a person runs it, outside oj, with the hooks of `oj init codex`. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import type { Decision } from "../specs/support/agents.ts";
import { tempProject, until } from "../specs/support/project.ts";
import { PATIENCE_MS } from "../specs/support/real-client.ts";
import { describeCodex } from "./describe.ts";
import type { Step } from "./model-api.ts";
import { bash, startModelApi, text } from "./model-api.ts";
import { config, installed, settle } from "./stage.ts";

const DIST = path.join(import.meta.dirname, "../../dist");

type Asked = Decision & { requested_by: string | null };

/** Codex in a terminal of the person's own; they trust the hooks when it asks. */
async function ownSession(script: Step[], init: string[]) {
  const project = await tempProject();
  const api = await startModelApi({ all: script });
  onTestFinished(api.close);
  const bin = path.join(project.home, "bin");
  fs.mkdirSync(bin);
  fs.symlinkSync(path.join(DIST, "oj.cjs"), path.join(bin, "oj"));
  settle(project, installed.bin ?? assert.fail(), config(api.url, project.dir));
  project.env.PATH = `${bin}:${project.env.PATH}`;
  assert.equal((await project.run("init", "codex", ...init)).code, 0);
  await project.run("daemon", "start");
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", path.join(project.home, "own.sock"), "-f", "/dev/null", ...words], {
      cwd: project.dir,
      env: project.env,
      encoding: "utf8",
    });
  tmux("new-session", "-d", "-x", "120", "-y", "40", "codex", "--no-daemon", "Please play #s:all");
  onTestFinished(async () => {
    const pid = Number(tmux("display", "-p", "#{pane_pid}"));
    process.kill(pid, "SIGKILL"); // the server ends with its only terminal
    await until(() => !fs.existsSync(`/proc/${pid}`), "its end", PATIENCE_MS);
  });
  const shows = (what: RegExp) =>
    until(() => what.test(tmux("capture-pane", "-p")), `${what} on the screen`, PATIENCE_MS);
  await shows(/Hooks need review[\s\S]*2\. Trust all and continue/);
  await until(
    () => {
      const isChosen = /› 2\. Trust all/.test(tmux("capture-pane", "-p"));
      if (!isChosen) tmux("send-keys", "Down"); // the first key after a dialog appears may be lost
      return isChosen;
    },
    "the trust",
    PATIENCE_MS,
  );
  tmux("send-keys", "Enter");
  /** The only decision that waits. */
  const asked = (source: string) =>
    until(
      async () => {
        const [it, ...more] = await project.json<Asked[]>("decision", "list");
        return it?.source === source && more.length === 0 && it;
      },
      `a decision with source ${source}`,
      PATIENCE_MS,
    );
  const heard = (step: number) => until(() => api.heard("all", step), `step ${step}`, PATIENCE_MS);
  return { ...project, asked, heard, shows, press: (...keys: string[]) => tmux("send-keys", ...keys) };
}

describeCodex("in a session with our hooks", () => {
  it("is answered from the inbox while --wait lasts, and else in its terminal", async () => {
    const oj = `${process.execPath} ${path.join(DIST, "oj.cjs")}`; // a login shell has a PATH of its own
    const request = `${oj} decision request --prompt 'Which way?' --option A --option B`;
    const short = [bash("touch one"), text("Done.")];

    /** Permissions, a request of its own, and the answer to it at the end of its turn. */
    const answered = async () => {
      const script = [bash("touch one"), bash("touch two"), bash(request), text("Asked."), text("Fine.")];
      const session = await ownSession(script, ["--wait", "10m"]);
      const { asked, heard, run } = session;
      const one = await asked("approval");
      assert.equal(one.title, "Bash: touch one");
      await run("decision", "resolve", one.id, "1");
      assert.match(await heard(1), /exited with code 0/);
      await run("decision", "resolve", (await asked("approval")).id, "2", "-m", "Not in this folder.");
      assert.match(await heard(2), /Not in this folder\./);
      await run("decision", "resolve", (await asked("approval")).id, "1");
      await heard(3);
      const which = await asked("request");
      assert.match(String(which.requested_by), /^session-/);
      await run("decision", "resolve", which.id, "2", "-m", "the scenic one");
      assert.match(await heard(4), /Which way\?.*B.*the scenic one/s);
      const made = ["one", "two"].filter((it) => fs.existsSync(path.join(session.dir, it)));
      assert.deepEqual(made, ["one"]);
    };

    const dismissed = async () => {
      const { asked, run, shows, press, heard } = await ownSession(short, ["--wait", "10m"]);
      await run("decision", "resolve", (await asked("approval")).id, "dismiss");
      await shows(/Yes, proceed/);
      press("y");
      assert.match(await heard(1), /exited with code 0/);
    };

    const without = async () => {
      const { asked, json, shows, press } = await ownSession(short, []);
      await shows(/Yes, proceed/);
      assert.deepEqual(await json("decision", "list"), []);
      press("y");
      assert.equal((await asked("idle")).title, "Stopped: Done.");
    };

    const late = async () => {
      const { asked, run, shows } = await ownSession(short, ["--wait", "15s"]);
      const { id } = await asked("approval");
      await shows(/Yes, proceed/);
      assert.match((await run("decision", "show", id)).stdout, /left to its terminal/);
    };

    await Promise.all([answered(), dismissed(), without(), late()]);
  });
});
