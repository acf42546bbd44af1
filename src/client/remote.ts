/** The typed calls to a daemon on another machine, which `oj serve` lets in: HTTP with a person's token. */
import type { IncomingMessage } from "node:http";
import type { ApiClient } from "../api/api.ts";
import { Refusal } from "../core/model/errors.ts";
import type { Call, Reply } from "./calls.ts";
import { callsOf } from "./calls.ts";

export interface Remote {
  /** Without `/api`. */
  url: string;
  token: string;
  via: string;
  abort?: AbortSignal | undefined;
}

/** It starts nothing there, and speaks to any version: the API only grows. */
export function remoteClient({ url, token, via, abort }: Remote): ApiClient {
  const send = (call: Call) => sendTo(url, call);
  return callsOf({ user: "", via, bearer: token, anyVersion: true, send, ...(abort ? { abort } : {}) });
}

/** Loaded only here: a call to the daemon on this machine does without these modules. */
async function sendTo(url: string, call: Call): Promise<Reply> {
  const target = new URL(`${url.replace(/\/+$/, "")}/api${call.path}`);
  const { request } = target.protocol === "https:" ? await import("node:https") : await import("node:http");
  const body = call.body ?? "";
  const headers = { ...call.headers, "content-length": String(Buffer.byteLength(body)) };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(target, { method: call.method, headers, signal: call.abort }, resolve);
      sent.on("error", reject);
      sent.end(body);
    });
    const heads = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return { status: response.statusCode ?? 0, headers: Object.fromEntries(heads), body: response };
  } catch (error) {
    if (call.abort?.aborted) throw error;
    const message = `${target.origin} can't be reached: ${(error as Error).message}`;
    throw new Refusal("server.unreachable", message, "oj context list");
  }
}
