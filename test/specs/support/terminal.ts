/** A person's terminal: a tmux of its own, in which one command runs; keys go in, the screen comes out. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import type { Project } from "./project.ts";

const exec = promisify(execFile);
const OJ = path.join(import.meta.dirname, "../../../dist/oj.cjs");

export interface Terminal {
  /** What a person sees, line by line. */
  screen(): Promise<string>;
  /** With everything that has scrolled away. */
  history(): Promise<string>;
  /** Returns the screen once it matches. */
  shows(pattern: RegExp): Promise<string>;
  /** The same for who reads on it: nothing of it is being drawn any more. A large screen comes in parts. */
  rests(isWanted: (screen: string) => boolean, what: string): Promise<string>;
  /** Keys by tmux's names, one after the other. */
  press(...keys: string[]): Promise<void>;
  /** Text as it is typed, letter by letter. */
  type(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  isOver(): Promise<boolean>;
  close(): Promise<void>;
}

let openedSoFar = 0;

interface Size {
  columns: number;
  rows: number;
  env?: Record<string, string>;
}

export function openTerminal(project: Project, args: readonly string[], size: Size): Promise<Terminal> {
  return opened(project, [process.execPath, OJ, ...args].map((it) => `'${it}'`).join(" "), size);
}

/** A shell in which `oj` is a command. */
export function openShell(project: Project, script: string, size: Size): Promise<Terminal> {
  return opened(project, `oj() { '${process.execPath}' '${OJ}' "$@"; }; ${script}`, size);
}

async function opened(
  project: Project,
  command: string,
  { columns, rows, env = {} }: Size,
): Promise<Terminal> {
  const name = `t${++openedSoFar}`;
  // each in a server of its own: one whose last terminal is closed may still answer, and ends under the next;
  // a tmux in the state folder is an agent's
  const socket = path.join(project.home, `${name}.sock`);
  const tmux = async (...words: string[]) =>
    (await exec("tmux", ["-S", socket, "-f", "/dev/null", ...words])).stdout;
  const given = Object.entries({ ...project.env, ...env }).flatMap(([name, value]) => [
    "-e",
    `${name}=${value}`,
  ]);
  const at = `=${name}:`;
  await tmux(
    ...[
      "new-session",
      "-d",
      "-s",
      name,
      "-x",
      `${columns}`,
      "-y",
      `${rows}`,
      "-c",
      project.dir,
      ...given,
      command,
    ],
    ...[";", "set-option", "-g", "remain-on-exit", "on"],
  );
  onTestFinished(async () => {
    await tmux("kill-server").catch(() => {});
  });
  const screen = () => tmux("capture-pane", "-p", "-t", at);
  return {
    screen,
    history: () => tmux("capture-pane", "-p", "-S", "-", "-t", at),
    async shows(pattern) {
      let last = "";
      return project
        .until(async () => {
          last = await screen();
          return pattern.test(last) ? last : null;
        })
        .catch(() => {
          throw new Error(`the screen never showed ${pattern}:\n${last}`);
        });
    },
    rests: (isWanted, what) =>
      project.until(async () => {
        const now = await screen();
        return isWanted(now) && now === (await screen()) ? now : null;
      }, what),
    async press(...keys) {
      for (const key of keys) await tmux("send-keys", "-t", at, key);
    },
    async type(text) {
      await tmux("send-keys", "-t", at, "-l", text);
    },
    async resize(width, height) {
      await tmux("resize-window", "-t", at, "-x", `${width}`, "-y", `${height}`);
    },
    isOver: async () => (await tmux("display-message", "-p", "-t", at, "#{pane_dead}")).trim() === "1",
    async close() {
      await tmux("kill-session", "-t", at);
    },
  };
}
