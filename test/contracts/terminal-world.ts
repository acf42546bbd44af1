/** A tmux server of the test's own, and programs in it that do what the test says. Anything left of it afterwards fails the test. */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { tmuxTerminals } from "../../src/adapters/tmux/terminals.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import type { Journal, Terminals } from "../../src/ports.ts";
import { tempFolder, until } from "./temp.ts";
import type { Program, ProgramInput, TerminalsUnderTest } from "./terminals.contract.ts";

const run = promisify(execFile);
const script = path.join(import.meta.dirname, "terminal-program.mjs");

export const env = { PATH: process.env.PATH ?? "" };

export interface TmuxWorld extends TerminalsUnderTest {
  dir: string;
  socket: string;
  /** What the adapter wrote to the daemon's log. */
  journal: string[];
  tmux(...args: string[]): Promise<string>;
  /** The pid of the server, and those of the clients that are connected to it. */
  serverPid(): Promise<number>;
  clientPids(): Promise<number[]>;
  outputDir(agent_id: AgentId): string;
}

/** Programs end at once when they are asked to, unless a busy machine does not let them. */
const USUAL_KILL_MS = 20_000;

export async function tmuxWorld(input: { maxBytes?: number; killAfterMs?: number } = {}): Promise<TmuxWorld> {
  const dir = await tempFolder();
  const socket = path.join(dir, "t.sock");
  const agents = path.join(dir, "agents");
  const lines: string[] = [];
  const made: Terminals[] = [];
  let count = 0;
  const tmux = async (...args: string[]) =>
    (await run("tmux", ["-S", socket, ...args], { env })).stdout.trim();
  const make = () => {
    const journal = journalInto(lines);
    const maxBytes = input.maxBytes ?? 1_000_000;
    const { killAfterMs = USUAL_KILL_MS } = input;
    const terminals = tmuxTerminals({ socket, dir: agents, maxBytes, killAfterMs, journal, env });
    made.push(terminals);
    return terminals;
  };
  onTestFinished(async () => {
    for (const terminals of made) await terminals.close(); // one at a time is connected
    const last = make();
    for (const { agent_id } of await last.list()) await last.kill(agent_id);
    await last.close();
    await until(async () => (await leftovers(dir)).length === 0).catch(async () => {
      throw new Error(`left behind:\n${(await leftovers(dir)).join("\n")}`);
    });
  });

  const world: TmuxWorld = {
    dir,
    socket,
    cwd: dir,
    journal: lines,
    terminals: make(),
    tmux,
    serverPid: async () =>
      Number(await tmux("list-sessions", "-F", "#{pid}").then((it) => it.split("\n")[0])),
    clientPids: async () => (await tmux("list-clients", "-F", "#{client_pid}")).split("\n").map(Number),
    outputDir: (agent_id) => path.join(agents, agent_id),
    async start(agent_id, given = {}) {
      count += 1;
      const control = path.join(dir, `${count}.ctl`);
      const terminals = made.at(-1) as Terminals;
      const argv = [process.execPath, script, control, ...(given.args ?? [])];
      await terminals.start({
        agent_id,
        argv,
        cwd: world.cwd,
        env: { ...env, ...given.env },
        columns: 80,
        rows: 24,
      });
      return programAt(control, given);
    },
    async restart(meanwhile) {
      await made.at(-1)?.close();
      await meanwhile?.();
      return make();
    },
  };
  return world;
}

/** Processes and sockets that belong to this folder. */
async function leftovers(dir: string): Promise<string[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,stat=,args="]);
  const processes = stdout.split("\n").filter((it) => it.includes(`${dir}/`) && !/^\s*\d+\s+Z/.test(it));
  const files = await fs.readdir(dir);
  return [...processes, ...files.filter((it) => it.startsWith("t.sock"))];
}

async function programAt(socket: string, { bracketed }: ProgramInput): Promise<Program> {
  const ask = (name: string, value?: unknown) => request(socket, JSON.stringify({ name, value }));
  const program: Program = {
    async seen() {
      const seen = JSON.parse(await ask("seen"));
      return { ...seen, input: Buffer.from(seen.input, "base64").toString() };
    },
    print: async (text) => void (await ask("print", Buffer.from(text).toString("base64"))),
    exit: async (code) => void (await ask("exit", code)),
    die: async (signal) => void (await ask("die", signal)),
  };
  await until(() => ask("print", "").then(Boolean, () => false));
  if (bracketed) await program.print("\u001b[?2004h");
  return program;
}

function request(socket: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const connection = net.connect({ path: socket, allowHalfOpen: true }, () => connection.end(text));
    connection.on("data", (part) => parts.push(part));
    connection.once("error", reject);
    connection.once("close", () => resolve(Buffer.concat(parts).toString()));
  });
}

function journalInto(lines: string[]): Journal {
  const add = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  return { debug: add("debug"), info: add("info"), warn: add("warn"), error: add("error") };
}
