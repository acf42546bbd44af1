/** Calls the hooks in the settings file. Whatever goes wrong with one, the agent carries on as if it had said nothing. */
import { spawn } from "node:child_process";
import type { ClientRequest } from "node:http";
import type { Json } from "./json.ts";
import { isObject } from "./json.ts";
import type { Recorder } from "./record.ts";
import type { Handler, Settings } from "./settings.ts";
import { filledHeaders, handlersFor } from "./settings.ts";

export interface Hooks {
  /** Calls all that are due and waits for them; their outputs are merged. */
  send(body: Json): Promise<Json>;
  /** Calls without waiting, while a dialog is on the screen. */
  hold(body: Json): Held;
  /** Sends any text to the URL of an event, as it is. */
  sendRaw(
    event: string,
    text: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }>;
}

export interface Held {
  /** The first output that says something; null if none will. */
  answer: Promise<Json | null>;
  close(): void;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A call under way. */
interface Call {
  output: Promise<Json>;
  close(): void;
}

export function startHooks(settings: Settings, env: Env, cwd: string, record: Recorder): Hooks {
  function call(handler: Handler, body: Json): Call {
    const event = String(body.hook_event_name);
    const started =
      handler.type === "http"
        ? post(handler, JSON.stringify(body), filledHeaders(handler, env))
        : run(handler, body, event);
    const output = started.output.catch((error: Error): Json => {
      record("hook_failed", { event, error: error.message });
      return handler.blocks && event === "PreToolUse"
        ? { decision: "block", reason: `${error.message}; blocking because onFailure is "block"` }
        : {};
    });
    return { output, close: started.close };
  }

  function due(body: Json): Handler[] {
    return handlersFor(settings, String(body.hook_event_name), String(body.tool_name ?? body.source ?? ""));
  }

  function run(
    { command, timeoutMs }: Extract<Handler, { type: "command" }>,
    body: Json,
    event: string,
  ): Call {
    const child = spawn("sh", ["-c", command], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const stop = () => {
      child.kill("SIGKILL");
      child.stdout.destroy(); // what it started may hold on to these
      child.stderr.destroy();
    };
    const timer = setTimeout(stop, timeoutMs);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (stdout += part));
    child.stderr.setEncoding("utf8").on("data", (part: string) => (stderr += part));
    child.stdin.on("error", () => {}); // it may end without reading
    child.stdin.end(JSON.stringify(body));
    const output = new Promise<Json>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        if (code === 2) resolve({ decision: "block", reason: stderr.trim() });
        else if (code !== 0)
          reject(
            new Error(`the hook's command ended with ${signal ?? `exit code ${code}`}: ${stderr.trim()}`),
          );
        else resolve(parsed(stdout, event));
      });
    });
    return { output, close: stop };
  }

  return {
    async send(body) {
      const outputs = await Promise.all(due(body).map((it) => call(it, body).output));
      return Object.assign({}, ...outputs);
    },
    hold(body) {
      const calls = due(body).map((it) => call(it, body));
      const saying = calls.map(async ({ output }) => {
        const said = await output;
        return isObject(said.hookSpecificOutput) ? said : Promise.reject(new Error("no opinion"));
      });
      const answer = Promise.any(saying).catch(() => null);
      return { answer, close: () => calls.forEach((it) => void it.close()) };
    },
    async sendRaw(event, text, headers) {
      const handler =
        handlersFor(settings, event, "").find((it) => it.type === "http") ??
        Object.values(settings.hooks)
          .flat()
          .find((it) => it.type === "http");
      if (handler?.type !== "http") throw new Error("the settings have no HTTP hook");
      let status = 0;
      let reply = "";
      const seen = (code: number, body: string) => {
        status = code;
        reply = body;
      };
      await post(handler, text, { ...filledHeaders(handler, env), ...headers }, seen).output.catch(
        (error: Error) => (reply ||= error.message),
      );
      return { status, text: reply };
    },
  };
}

/** A separate connection for each: what another left open must not break this one. */
function post(
  { url, timeoutMs }: Extract<Handler, { type: "http" }>,
  text: string,
  headers: Record<string, string>,
  see: (status: number, body: string) => void = () => {},
): Call {
  let request: ClientRequest | null = null;
  let closed = false;
  const output = (async () => {
    const { request: open } = await import("node:http");
    return new Promise<Json>((resolve, reject) => {
      if (closed) return reject(new Error("closed"));
      const fixed = {
        "content-type": "application/json",
        "user-agent": "oj-agent",
        "content-length": String(Buffer.byteLength(text)),
      };
      request = open(url, { method: "POST", agent: false, headers: { ...headers, ...fixed } }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (part: string) => (body += part));
        response.on("error", reject);
        response.on("end", () => {
          clearTimeout(timer);
          const status = response.statusCode ?? 0;
          see(status, body);
          if (status >= 200 && status < 300) resolve(parsed(body, ""));
          else reject(new Error(`the hook answered ${status}`));
        });
      });
      const timer = setTimeout(
        () => request?.destroy(new Error(`the hook took more than ${timeoutMs / 1000} s`)),
        Math.min(timeoutMs, 2 ** 31 - 1),
      );
      request.on("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
      request.end(text);
    });
  })();
  const close = () => {
    closed = true;
    request?.destroy();
  };
  return { output, close };
}

/** Empty means no opinion; where text is given to the model, plain text is that text. */
function parsed(text: string, event: string): Json {
  if (text.trim() === "") return {};
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch {
    // plain text
  }
  const isContext = event === "SessionStart" || event === "UserPromptSubmit";
  return isContext ? { hookSpecificOutput: { hookEventName: event, additionalContext: text.trim() } } : {};
}
