/** Where pictures are taken: a home, a project and programs of their own, and real terminals to type in. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {object} Stage
 * @property {string} place  everything is in here; pictures leave it out of paths
 * @property {string} project
 * @property {NodeJS.ProcessEnv} env
 * @property {(...args: string[]) => string} oj
 * @property {(program: string, args: string[]) => string} run
 * @property {() => void} end  nothing stays behind
 */

/**
 * `files` are written into the project; `programs` are scripts on the path. A scripted agent that plays the scenario
 * takes the place of `claude`; it is ours, even if `oj` comes from another build.
 * @param {{ files: Record<string, string>, programs?: Record<string, string>, scenario: object, settings?: string, dist?: string }} input
 * @returns {Stage}
 */
export function stageOf({ files, programs = {}, scenario, settings, dist = path.join(root, "dist") }) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "oj-picture-"));
  const home = path.join(place, "home/ana");
  const project = path.join(home, "shop");
  const bin = path.join(place, "bin");
  const node = (/** @type {string} */ file) => `exec '${process.execPath}' '${file}'`;
  const scripts = {
    oj: `${node(path.join(dist, "oj.cjs"))} "$@"`,
    claude: `${node(path.join(root, "dist/oj-agent.cjs"))} --scenario '${path.join(place, "scenario.json")}' "$@"`,
    ...programs,
  };
  fs.mkdirSync(bin);
  for (const [name, script] of Object.entries(scripts))
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(place, "scenario.json"), JSON.stringify(scenario));
  for (const [name, text] of Object.entries(files)) write(path.join(project, name), text);
  if (settings) write(path.join(home, ".config/oj/config.toml"), settings);
  const env = {
    HOME: home,
    USER: "ana",
    PATH: `${bin}:${process.env.PATH}`,
    LANG: "C.UTF-8",
    TMUX_TMPDIR: place,
    TERM: "xterm-256color",
  };
  const run = (/** @type {string} */ program, /** @type {string[]} */ args) => {
    const { status, stdout, stderr } = spawnSync(program, args, { env, cwd: project, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    place,
    project,
    env,
    run,
    oj: (...args) => run("oj", args),
    end() {
      spawnSync("oj", ["daemon", "stop"], { env, cwd: project });
      spawnSync("tmux", ["-S", path.join(home, ".local/state/oj/tmux.sock"), "kill-server"], { env });
      // what is ending may still write
      fs.rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}

/** @param {string} file  @param {string} text */
function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

let terminals = 0;

/**
 * @typedef {object} Terminal
 * @property {(...flags: string[]) => string[]} lines  what it shows, down to the last line with text
 * @property {(...keys: string[]) => void} press
 * @property {(text: string) => void} type
 * @property {() => void} close
 */

/**
 * A tmux server of its own: one that is ending must not be used again.
 * @param {Stage} stage  @param {{ columns: number, rows: number }} size  @param {string} command  @returns {Terminal}
 */
export function terminalOf({ run, place }, { columns, rows }, command) {
  terminals += 1;
  const socket = path.join(place, `tmux-${terminals}`);
  const tmux = (/** @type {string[]} */ ...args) =>
    run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...args]);
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), command);
  return {
    lines: (...flags) =>
      tmux("capture-pane", "-p", ...flags)
        .trimEnd()
        .split("\n")
        .map((line) => line.replaceAll(place, "")),
    press: (...keys) => void tmux("send-keys", ...keys),
    type: (text) => void tmux("send-keys", "-l", "--", text),
    close: () => void tmux("kill-server"),
  };
}
