/**
 * What the turn commands have in common: a hook's JSON on stdin, the hook's reply on stdout, and nothing that could ever block a session
 * or make it fail. Whatever is wrong, the reply is "no opinion" and the exit code 0.
 */
import type { HookQuery } from "../../api/api.ts";
import type { Context } from "./command.ts";
import { directClient } from "./patience.ts";

/** Time for stdin, counted from the start of the process; if starting it took that long already, a moment more. */
const STDIN_MS = 600;
const MOMENT_MS = 100;
/** Time for a daemon that runs: an absent one refuses at once. */
const DAEMON_MS = 2000;

export async function reportTurn(context: Context, query: HookQuery, withinMs = DAEMON_MS): Promise<void> {
  context.out.print(JSON.stringify(await replyTo(context, query, withinMs)));
}

async function replyTo(context: Context, query: HookQuery, withinMs: number): Promise<object> {
  if (context.config.agent !== undefined) return {}; // its own hooks and its runbook govern it
  const hook = await jsonFrom(process.stdin, Math.max(MOMENT_MS, STDIN_MS - performance.now()));
  if (hook === null) return {};
  try {
    return await directClient(context, AbortSignal.timeout(withinMs)).sessionHook(hook, query);
  } catch {
    return {};
  }
}

/** The first JSON object on the stream; null if none has come in time. */
export function jsonFrom(stream: NodeJS.ReadableStream, ms: number): Promise<object | null> {
  let text = "";
  return new Promise((resolve) => {
    const end = (found: object | null) => {
      clearTimeout(late);
      stream.pause();
      resolve(found);
    };
    // What was sent in time counts, even if a busy machine lets us look at it only now: it is read before the call.
    const late = setTimeout(() => setImmediate(() => end(null)), ms);
    stream.setEncoding("utf8");
    stream.on("data", (part: string) => {
      text += part;
      const found = text.trimEnd().endsWith("}") ? objectIn(text) : null;
      if (found) end(found);
      else if (text.length > MAX_TEXT) end(null);
    });
    stream.once("end", () => end(objectIn(text)));
    stream.once("error", () => end(null));
  });
}

const MAX_TEXT = 4_000_000;

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
