/** `terminal/…`: commands that the program has us run, in the workspace. Each ends with the runner at the latest. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Params } from "./wire/rpc.ts";
import { INVALID_PARAMS, isObject, RpcError, textOf, unknownMethod } from "./wire/rpc.ts";
import { within } from "./workspace.ts";

interface Terminal {
  child: ChildProcess;
  output: Buffer;
  cut: boolean;
  limit: number;
  ended: Promise<Ended>;
  exit: Ended | null;
}

interface Ended {
  exitCode: number | null;
  signal: string | null;
}

const DEFAULT_LIMIT = 1_000_000;
const MOST_BYTES = 10_000_000;
const MOST_TERMINALS = 50;

export interface Terminals {
  handle(method: string, params: Params): Promise<unknown>;
  close(): void;
}

export function startTerminals(root: string, env: NodeJS.ProcessEnv): Terminals {
  const open = new Map<string, Terminal>();

  function create(params: Params): { terminalId: string } {
    const command = textOf(params.command);
    if (command === "") throw new RpcError(INVALID_PARAMS, "command is missing");
    if (open.size >= MOST_TERMINALS) throw new RpcError(INVALID_PARAMS, "too many terminals are open");
    const cwd = params.cwd === undefined || params.cwd === null ? root : within(root, params.cwd);
    const args = list(params.args).filter((it) => typeof it === "string");
    const more = list(params.env).flatMap((it) =>
      isObject(it) && typeof it.name === "string" ? [[it.name, textOf(it.value)] as const] : [],
    );
    const child = spawn(command, args, {
      cwd,
      env: { ...env, ...Object.fromEntries(more) },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // a group of its own, so that all it starts ends with it
    });
    const asked = Number(params.outputByteLimit);
    const terminal: Terminal = {
      child,
      output: Buffer.alloc(0),
      cut: false,
      limit: asked > 0 ? Math.min(asked, MOST_BYTES) : DEFAULT_LIMIT,
      exit: null,
      ended: new Promise((resolve) => {
        const end = (it: Ended) => {
          terminal.exit ??= it;
          resolve(terminal.exit);
        };
        child.once("error", (error) => {
          add(terminal, Buffer.from(`${error.message}\n`));
          end({ exitCode: 127, signal: null });
        });
        child.once("close", (exitCode, signal) => end({ exitCode, signal }));
      }),
    };
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (part: Buffer) => add(terminal, part));
    const terminalId = randomUUID();
    open.set(terminalId, terminal);
    return { terminalId };
  }

  function find({ terminalId }: Params): Terminal {
    const found = open.get(textOf(terminalId));
    if (!found) throw new RpcError(INVALID_PARAMS, "there is no such terminal");
    return found;
  }

  return {
    async handle(method, params) {
      switch (method) {
        case "terminal/create":
          return create(params);
        case "terminal/output": {
          const { output, cut, exit } = find(params);
          return { output: output.toString("utf8"), truncated: cut, ...(exit ? { exitStatus: exit } : {}) };
        }
        case "terminal/wait_for_exit":
          return find(params).ended;
        case "terminal/kill":
          kill(find(params));
          return {};
        case "terminal/release":
          kill(find(params));
          open.delete(textOf(params.terminalId));
          return {};
        default:
          throw unknownMethod(method);
      }
    },
    close() {
      for (const it of open.values()) kill(it);
    },
  };
}

/** The end counts; a character that is cut in two becomes a mark. */
function add(terminal: Terminal, part: Buffer): void {
  const all = Buffer.concat([terminal.output, part]);
  terminal.cut ||= all.length > terminal.limit;
  terminal.output = all.subarray(Math.max(0, all.length - terminal.limit));
}

function kill({ child, exit }: Terminal): void {
  if (exit || child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // it has just ended
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
