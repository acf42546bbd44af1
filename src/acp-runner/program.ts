/** The program that speaks ACP: started, asked what it can do, and given a conversation. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { version } from "../version.ts";
import type { Peer } from "./wire/rpc.ts";
import { isObject, textOf } from "./wire/rpc.ts";

/** Longer, and it does not speak the protocol. */
const STARTS_WITHIN_MS = 120_000;

/** Its stderr goes to a file of the agent's, because on the screen it would spoil what is drawn there. */
export function startProgram(
  [command = "", ...args]: string[],
  home: string,
  env: NodeJS.ProcessEnv,
): ChildProcess {
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
