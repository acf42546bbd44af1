/** The program that speaks ACP: started, asked what it can do, and given a conversation. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { PassThrough, Writable } from "node:stream";
import { version } from "../version.ts";
import type { Peer } from "./wire/rpc.ts";
import { isObject, textOf } from "./wire/rpc.ts";

/** Longer, and it does not speak the protocol. */
const STARTS_WITHIN_MS = 120_000;

export interface Pipes {
  stdin: Writable;
  stdout: Readable;
}

export interface Program extends Pipes {
  kill(): void;
}

interface Watch {
  failed(error: Error): void;
  ended(code: number | null, signal: NodeJS.Signals | null): void;
  /** Whether it may be started once more after it ended so, because it never came up. */
  isWorthAnother(code: number | null): boolean;
  pauseMs?: number;
}

/** Programs that set up a database at their first start fail if several do so at once; a moment later it is there. */
const MOST_STARTS = 5;
const PAUSE_MS = 1000;

export function startProgram(words: string[], home: string, env: NodeJS.ProcessEnv, watch: Watch): Program {
  const stdout = new PassThrough();
  let child = begin(1);
  const stdin = new Writable({
    write: (part, encoding, done) => void (child.stdin?.write(part, encoding, done) ?? done()),
  });

  function begin(time: number): ChildProcess {
    const it = spawned(words, home, env);
    it.stdout?.pipe(stdout, { end: false });
    it.stdin?.on("error", () => {}); // its end says the same
    it.once("error", watch.failed);
    it.once("exit", (code, signal) => {
      if (time === MOST_STARTS || !watch.isWorthAnother(code)) return watch.ended(code, signal);
      setTimeout(() => (child = begin(time + 1)), (watch.pauseMs ?? PAUSE_MS) * time * (1 + Math.random()));
    });
    return it;
  }

  return { stdin, stdout, kill: () => void child.kill("SIGKILL") };
}

/** Its stderr goes to a file of the agent's, because on the screen it would spoil what is drawn there. */
function spawned([command = "", ...args]: string[], home: string, env: NodeJS.ProcessEnv): ChildProcess {
  fs.mkdirSync(home, { recursive: true });
  const log = fs.openSync(path.join(home, "acp-stderr.log"), "w");
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", log] });
  fs.closeSync(log);
  return child;
}

export interface Opened {
  id: string;
  /** What the program calls itself. */
  program: string;
  /** It remembers what was said before. */
  remembers: boolean;
}

/** `known`: the conversation to go on with, by the program's own name. */
export async function open(
  peer: Peer,
  cwd: string,
  known: string | null,
  replay: (on: boolean) => void,
): Promise<Opened> {
  const started = await soon(
    peer.request("initialize", {
      protocolVersion: 1,
      clientInfo: { name: "oddjobs", title: "Oddjobs", version },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        elicitation: { form: {} },
      },
    }),
  );
  const can = isObject(started) && isObject(started.agentCapabilities) ? started.agentCapabilities : {};
  const program = isObject(started) && isObject(started.agentInfo) ? textOf(started.agentInfo.name) : "";
  if (known !== null && can.loadSession === true) {
    replay(true);
    try {
      await peer.request("session/load", { sessionId: known, cwd, mcpServers: [] });
      return { id: known, program, remembers: true };
    } catch {
      // it has forgotten that conversation
    } finally {
      replay(false);
    }
  }
  const made = await soon(peer.request("session/new", { cwd, mcpServers: [] }));
  const id = isObject(made) ? textOf(made.sessionId) : "";
  if (id === "") throw new Error("it gave the conversation no name");
  return { id, program, remembers: false };
}

function soon<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it does not answer")), STARTS_WITHIN_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The program's name of a conversation, kept beside our own file of it. */
export function knownAs(conversationFile: string): string | null {
  try {
    return fs.readFileSync(nameFile(conversationFile), "utf8");
  } catch {
    return null;
  }
}

export function rememberAs(conversationFile: string, id: string): void {
  fs.mkdirSync(path.dirname(conversationFile), { recursive: true });
  fs.writeFileSync(nameFile(conversationFile), id);
}

function nameFile(conversationFile: string): string {
  return conversationFile.replace(/\.jsonl$/, ".acp");
}
