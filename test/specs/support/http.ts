/** The daemon without the CLI: HTTP over its socket, and its end by SIGKILL. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import type { Project } from "./project.ts";

export interface Reply {
  status: number;
  text: string;
  json<T>(): T;
}

export interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  agent?: http.Agent;
}

export function socketOf(project: Project): string {
  return path.join(project.stateDir, "oj.sock");
}

/** Sends a body as is if it is text or bytes, otherwise as JSON. */
export function call(project: Project, method: string, to: string, sent: Sent = {}): Promise<Reply> {
  const { body, agent } = sent;
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  const bytes = body === undefined ? null : Buffer.from(isRaw ? body : JSON.stringify(body));
  const isChunked = sent.headers?.["transfer-encoding"] === "chunked";
  const headers = {
    ...(bytes ? { "content-type": "application/json" } : {}),
    ...(bytes && !isChunked ? { "content-length": String(bytes.length) } : {}),
    ...sent.headers,
  };
  const options = { socketPath: socketOf(project), method, path: to, headers, agent: agent ?? false };
  return replyOf(http.request(options), bytes);
}

/**
 * Opens an address as a browser does. Each visit has a connection of its own: `fetch` may take up one that the server is
 * just closing.
 */
export function visit(
  url: string | URL,
  { method = "GET", form, headers = {} }: { method?: string; form?: object; headers?: object } = {},
): Promise<Reply> {
  const type = form ? { "content-type": "application/x-www-form-urlencoded" } : {};
  const options = { method, headers: { ...type, ...headers }, agent: false };
  return replyOf(
    http.request(url, options),
    form ? Buffer.from(new URLSearchParams({ ...form }).toString()) : null,
  );
}

function replyOf(request: http.ClientRequest, body: Buffer | null): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({ status: response.statusCode ?? 0, text, json: <T>() => JSON.parse(text) as T });
      });
    });
    request.on("error", reject);
    request.end(body ?? undefined);
  });
}

/** Kills it as a crash would, and returns when it is gone. */
export async function killDaemon(project: Project): Promise<void> {
  const pid = await project.daemonPid();
  assert.ok(pid, "no daemon runs");
  process.kill(pid, "SIGKILL");
  await project.until(() => isGone(pid), "the end of the daemon");
}

/** Dead is gone, even if its parent has not reaped it. */
export function isGone(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

export function question(project: Project, prompt: string): object {
  const options = [{ label: "yes" }, { label: "no" }];
  return { project: "shop", cwd: project.dir, prompt, options };
}
