/** One connection to our tmux server: commands go out in order, replies come back, with notices in between. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Unreachable } from "../../ports.ts";
import { announce, arrived } from "./connecting.ts";
import type { Block, Question } from "./protocol.ts";
import { protocol } from "./protocol.ts";
import { connectArguments, endRests, HUB, settings } from "./server.ts";
import type { Command } from "./text.ts";
import { commandLine } from "./text.ts";

/** After this long the caller is told that there is no answer. What was asked may still be done. */
const ANSWERS_WITHIN_MS = 10_000;
/** A connection that is silent for this long is given up, and another one is made. */
const PATIENCE_MS = 15_000;

export interface Control {
  /**
   * Runs the commands with nothing in between, and returns what each printed. Rejects with tmux's words if one fails, or as `Unreachable`.
   */
  run(...commands: Command[]): Promise<string[][]>;
  /** Runs one command whose lines an agent wrote. */
  show(command: Command): Promise<string[]>;
  close(): Promise<void>;
}

export interface ControlInput {
  socket: string;
  env: Readonly<Record<string, string>>;
  patienceMs?: number;
  onNotice(line: string): void;
  /** The connection broke, and why; not called after `close`. */
  onLost(why: Error): void;
}

interface Request extends Question {
  resolve(blocks: string[][]): void;
  reject(error: Error): void;
}

/** Connects, starting the server when there is none, and sets it up. */
export async function openControl(input: ControlInput): Promise<Control> {
  await announce(input);
  const tmux = spawn("tmux", connectArguments(input.socket), { cwd: "/", env: input.env, stdio: "pipe" });
  const patienceMs = input.patienceMs ?? PATIENCE_MS;
  const requests: Request[] = [];
  const remarks: string[] = [];
  let state: "opening" | "open" | "closed" = "opening";
  const giveUp = () => {
    if (state !== "closed") remarks.push(`it did not answer for ${patienceMs / 1000} s`);
    tmux.kill("SIGKILL");
    for (const stream of [tmux.stdout, tmux.stderr]) stream.destroy(); // a server that hangs holds on to these
  };
  let deadline: NodeJS.Timeout | null = setTimeout(giveUp, patienceMs);
  let attached = () => {};
  const attaching = new Promise<void>((resolve) => (attached = resolve));

  const feed = protocol({
    question: () => requests[0],
    reply: take,
    notice(line) {
      if (line.startsWith("%exit ")) remarks.push(line.slice(6));
      if (line.startsWith("%session-changed ")) attached();
      if (state === "open") input.onNotice(line);
    },
    remark: (line) => remarks.push(line),
  });
  tmux.stdout.on("data", feed);
  tmux.stderr.on("data", (bytes: Buffer) => remarks.push(bytes.toString().trim()));
  tmux.stdin.on("error", () => {}); // it went away, and its end is reported
  const ended = new Promise<void>((resolve) => {
    tmux.once("close", resolve);
    tmux.once("error", (error) => {
      remarks.push(error.message);
      resolve();
    });
  }).then(lost);

  function take(blocks: Block[]): void {
    const request = requests.shift();
    watchTheTime();
    remarks.length = 0; // they matter if nothing comes after them
    const failed = blocks.find((it) => it.failed);
    if (failed) request?.reject(new Error(`tmux: ${failed.lines.join(" ")}`));
    else request?.resolve(blocks.map((it) => it.lines));
  }

  function watchTheTime(): void {
    if (deadline) clearTimeout(deadline);
    deadline = requests.length === 0 ? null : setTimeout(giveUp, patienceMs);
  }

  function silent(): Error {
    return new Unreachable(`tmux did not answer for ${Math.min(ANSWERS_WITHIN_MS, patienceMs) / 1000} s`);
  }

  function broken(): Error {
    return new Unreachable(
      `there is no connection to tmux: ${remarks.join("; ") || "it broke, or was closed"}`,
    );
  }

  function lost(): void {
    const before = state;
    const why = broken();
    state = "closed";
    for (const request of requests.splice(0)) request.reject(why);
    watchTheTime();
    if (before === "open") input.onLost(why);
  }

  function send(commands: readonly Command[], foreign: boolean): Promise<string[][]> {
    if (state === "closed") return Promise.reject(broken());
    const fence = randomUUID();
    const lines = `${commandLine(commands)}\n${commandLine([["display-message", "-p", fence]])}\n`;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(silent()), Math.min(ANSWERS_WITHIN_MS, patienceMs));
      const settle = (call: () => void) => {
        clearTimeout(late);
        call();
      };
      requests.push({
        fence,
        foreign,
        resolve: (blocks) => settle(() => resolve(blocks)),
        reject: (error) => settle(() => reject(error)),
      });
      if (requests.length === 1) watchTheTime();
      tmux.stdin.write(lines);
    });
  }

  const control: Control = {
    run: async (...commands) => send(commands, false),
    async show(command) {
      const [lines = []] = await send([command], true);
      return lines;
    },
    async close() {
      state = "closed";
      tmux.stdin.end();
      const stuck = setTimeout(giveUp, 1000);
      await ended;
      clearTimeout(stuck);
    },
  };
  try {
    await Promise.race([attaching, ended]); // what is said before that is not heard in the right place
    await control.run(...settings);
    await arrived(control.run);
    await endOthers(control, tmux.pid);
  } catch (error) {
    await control.close();
    await endRests(input.socket).catch(() => undefined); // the first thing that went wrong says more
    throw error;
  }
  state = "open";
  return control;
}

/** There is only one daemon: anything else connected to the hub is left over from one that was killed. See `endRests`. */
async function endOthers(control: Control, own: number | undefined): Promise<void> {
  const [pids = []] = await control.run(["list-clients", "-t", `=${HUB}`, "-F", "#{client_pid}"]);
  for (const pid of pids.map(Number).filter((it) => it !== own)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // it went by itself
    }
  }
}
