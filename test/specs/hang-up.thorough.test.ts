/** Our programs end, and don't crash, when their terminal goes away: Node aborts if it can't reset a terminal. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, it } from "vitest";
import { tempProject } from "./support/project.ts";

const run = promisify(execFile);
const DIST = path.join(import.meta.dirname, "../../dist");
const HUNG_UP = "129";

const ACP = path.join(import.meta.dirname, "../fakes/acp-agent.mjs");
const SCENARIO = { turns: [[{ ask: [{ question: "Which?", options: ["Oak", "Elm"] }] }]] };

describe("a program whose terminal is gone", () => {
  it.each([
    ["the inbox", /pending|waiting|inbox/i, "oj.cjs decision watch"],
    ["the scripted agent", /Which\?/, "oj-agent.cjs --scenario scenario.json Begin."],
    [
      "the ACP runner",
      /Hello there/,
      `oj-acp.cjs '${process.execPath}' '${ACP}' turns.json record --oj Begin.`,
    ],
  ])("ends as the signal demands: %s", async (_, shown, line) => {
    const { terminal, script, ending } = await stage(line);
    const { until, hangUp } = await terminal("t.sock", script);
    await until(shown);
    await hangUp();
    assert.deepEqual(await ending(), { errors: "", code: HUNG_UP });
  });

  it("ends when a timer is the first to notice: the inbox's screen is gone, its keyboard is not", async () => {
    const { terminal, script, ending } = await stage("oj.cjs decision watch");
    const keyboard = await terminal("keys.sock", "exec sleep 600");
    const tty = await keyboard.tty();
    // in a session of its own it gets no signal, and no end of input: only a write can tell
    const screen = await terminal("t.sock", `setsid -w sh -c ${quote(script)} <'${tty}'`);
    await screen.until(/pending|waiting|inbox/i);
    await screen.hangUp();
    assert.deepEqual(await ending(), { errors: "", code: HUNG_UP });
    await keyboard.hangUp();
  });
});

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A project, a script that runs `line` there and notes how it ended, and terminals to run it in. */
async function stage(line: string) {
  const project = await tempProject({
    "scenario.json": JSON.stringify(SCENARIO),
    "turns.json": JSON.stringify([[{ say: "Hello there" }]]),
  });
  project.env.OJ_AGENT_HOME = project.home;
  await project.run("daemon", "start");
  const [errors, code] = [path.join(project.home, "errors"), path.join(project.home, "code")];
  // the shell outlives its terminal
  const script = `trap '' HUP; '${process.execPath}' '${DIST}'/${line} 2>'${errors}'; echo $? >'${code}'`;

  async function terminal(name: string, command: string) {
    const socket = path.join(project.home, name);
    const tmux = async (...args: string[]) =>
      (await run("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env: project.env, cwd: project.dir }))
        .stdout;
    await tmux("new-session", "-d", "-x", "100", "-y", "30", "sh", "-c", command);
    const tell = async (format: string) => (await tmux("display-message", "-p", format)).trim();
    return {
      tty: () => tell("#{pane_tty}"),
      until: (shown: RegExp) =>
        project.until(async () => shown.test(await tmux("capture-pane", "-p")), "its screen"),
      hangUp: async () => process.kill(Number(await tell("#{pid}")), "SIGKILL"),
    };
  }

  async function ending(): Promise<{ errors: string; code: string }> {
    const ended = await project.until(
      () => fs.existsSync(code) && (fs.readFileSync(code, "utf8") || null), // made, and then written
      "its end",
    );
    const said = fs.readFileSync(errors, "utf8").replace(/^Hangup\s*$/, ""); // some shells say so
    return { errors: said.slice(-1000), code: ended.trim() };
  }

  return { terminal, script, ending };
}
