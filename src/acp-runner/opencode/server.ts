/** opencode's server on loopback, which is the runner's alone: calls with its password, and its stream of events. */
import http from "node:http";
import type { Readable } from "node:stream";
import type { Params } from "../wire/rpc.ts";
import { isObject, RpcError } from "../wire/rpc.ts";

const INTERNAL = -32603;
/** More is no answer of the server's. */
const MAX_BODY = 64_000_000;

export interface Server {
  /** Throws `RpcError` with the server's words. A turn may take hours, so a call has no time limit. */
  call(method: "GET" | "POST", path: string, body?: object): Promise<unknown>;
  /** Calls `on` for every event, and resolves once the stream is open. */
  follow(on: (event: Params) => void): Promise<void>;
}

export function serverAt(url: string, password: string): Server {
  const headers = {
    authorization: `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`,
    "content-type": "application/json",
  };
  return {
    call: (method, path, body) =>
      new Promise((resolve, reject) => {
        const failed = (why: string) => reject(new RpcError(INTERNAL, `${method} ${path}: ${why}`));
        const request = http.request(`${url}${path}`, { method, headers, agent: false }, (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => {
            text += part;
            if (text.length > MAX_BODY) request.destroy();
          });
          response.on("end", () => {
            const value = jsonIn(text);
            const { statusCode = 0 } = response;
            if (statusCode < 300) resolve(value);
            else failed(`${statusCode} ${wordsOf(value)}`);
          });
          response.on("error", (error) => failed(error.message));
        });
        request.on("error", (error) => failed(error.message));
        request.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    follow: (on) =>
      new Promise((resolve, reject) => {
        const request = http.get(`${url}/event`, { headers, agent: false }, (response) => {
          let rest = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => {
            const lines = (rest + part).split("\n");
            rest = lines.pop() ?? "";
            for (const line of lines) {
              const event = line.startsWith("data: ") ? jsonIn(line.slice(6)) : null;
              if (isObject(event)) on(event);
            }
          });
          response.on("error", () => {}); // its end says the same
          resolve();
        });
        request.on("error", reject);
      }),
  };
}

/** The address that the server prints once it listens. */
export function addressIn(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    output.setEncoding("utf8");
    output.on("data", (part: string) => {
      text = (text + part).slice(-10_000);
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function wordsOf(value: unknown): string {
  const { message, data } = isObject(value) ? value : {};
  const words = message ?? (isObject(data) ? data.message : undefined);
  return typeof words === "string" ? words : "";
}
