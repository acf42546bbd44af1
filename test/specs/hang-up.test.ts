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

const SCENARIO = { turns: [[{ ask: [{ question: "Which?", options: ["Oak", "Elm"] }] }]] };

describe("a program whose terminal is gone", () => {
  it.each([
    ["the inbox", /pending|waiting|inbox/i, "oj.cjs decision watch"],
    ["the scripted agent", /Which\?/, "oj-agent.cjs --scenario scenario.json Begin."],
  ])("ends as the signal demands: %s", async (_, shown, line) => {
    const project = await tempProject({ "scenario.json": JSON.stringify(SCENARIO) });
    project.env.OJ_AGENT_HOME = project.home;
    await project.run("daemon", "start");
    const [socket, errors, code] = ["t.sock", "errors", "code"].map((it) => path.join(project.home, it));
    const tmux = (...args: string[]) =>
      run("tmux", ["-S", socket ?? "", "-f", "/dev/null", ...args], { env: project.env, cwd: project.dir });
    // the shell outlives its terminal, and notes how the program ended
    const script = `trap '' HUP; '${process.execPath}' '${DIST}'/${line} 2>'${errors}'; echo $? >'${code}'`;
    await tmux("new-session", "-d", "-x", "100", "-y", "30", "sh", "-c", script);
    await project.until(async () => shown.test((await tmux("capture-pane", "-p")).stdout), "its screen");
    const { stdout: server } = await tmux("display-message", "-p", "#{pid}");
    process.kill(Number(server), "SIGKILL");
    const ended = await project.until(
      () => fs.existsSync(code ?? "") && (fs.readFileSync(code ?? "", "utf8") || null), // made, and then written
      "its end",
    );
    assert.equal(fs.readFileSync(errors ?? "", "utf8").replace(/^Hangup\s*$/, ""), ""); // some shells say so
    assert.equal(ended.trim(), HUNG_UP);
  });
});
