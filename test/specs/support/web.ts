/** The web's port as a browser or an attacker meets it: requests on the loopback port, with the headers of their choice. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import type { Project } from "./project.ts";

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The code of the refusal. */
  code: string | null;
}

export interface Door {
  port: number;
  origin: string;
  ask(method: string, to: string, sent?: { headers?: Record<string, string>; body?: string }): Promise<Reply>;
}

export function doorOf(project: Project): Door {
  const port = Number(fs.readFileSync(path.join(project.stateDir, "port"), "utf8"));
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    origin,
    ask: (method, to, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const request = http.request(
          { host: "127.0.0.1", port, method, path: to, headers, agent: false },
          (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (part) => {
              text += part;
            });
            response.on("error", reject).on("end", () => {
              const { statusCode = 0, headers } = response;
              resolve({ status: statusCode, headers, text, code: codeOf(text) });
            });
          },
        );
        request.on("error", reject).end(body);
      }),
  };
}

export interface LoggedIn extends Door {
  /** What the browser sends along by itself, and what only the page knows. */
  cookie: string;
  key: string;
  /** The way the page does it. */
  call(method: string, to: string, body?: object): Promise<Reply>;
}

export async function loggedIn(project: Project): Promise<LoggedIn> {
  const code = await makeCode(project);
  const door = doorOf(project);
  const reply = await enter(door, code);
  assert.equal(reply.status, 200, reply.text);
  const cookie = String(reply.headers["set-cookie"]?.[0]).split(";")[0] ?? "";
  const { key } = JSON.parse(reply.text) as { key: string };
  const headers = { origin: door.origin, cookie, "x-oj-web-key": key, "sec-fetch-site": "same-origin" };
  return {
    ...door,
    cookie,
    key,
    call: (method, to, body) =>
      door.ask(method, `/api${to}`, {
        headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
  };
}

/** The code from a new link's fragment. */
export async function makeCode(project: Project): Promise<string> {
  const { url } = await project.json<{ url: string }>("web");
  return new URLSearchParams(new URL(url).hash.slice(1)).get("login") ?? "";
}

export function enter(
  { ask, origin }: Door,
  code: string,
  more: Record<string, string> = {},
): Promise<Reply> {
  const headers = { origin, "content-type": "application/json", ...more };
  return ask("POST", "/login", { headers, body: JSON.stringify({ code }) });
}

function codeOf(text: string): string | null {
  try {
    return (JSON.parse(text) as { error?: { code: string } }).error?.code ?? null;
  } catch {
    return null;
  }
}
