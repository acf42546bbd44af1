/** Calls as an attacker makes them: every header as it is given, twice if need be, over TCP, TLS or a unix socket. */
import http from "node:http";
import https from "node:https";

export interface Reply {
  status: number;
  code: string;
  cookie: string;
  /** All that it sets. */
  cookies: string[];
  text: string;
}

export interface Door {
  /** `http://…`, `https://…` or `unix:/…`. */
  url: string;
  /** Before the path of a route. */
  prefix?: string;
  /** Where the call comes from, of the many addresses that loopback has. */
  from?: string;
  /** What the caller shows over TLS. */
  cert?: { cert: string; key: string };
}

export function send(door: Door, method: string, to: string, headers: string[], body = ""): Promise<Reply> {
  const isUnix = door.url.startsWith("unix:");
  const { hostname = "", port = "" } = isUnix ? {} : new URL(door.url);
  const where = isUnix
    ? { socketPath: door.url.slice(5) }
    : { host: hostname, port, ...(door.from ? { localAddress: door.from } : {}) };
  const { request } = door.url.startsWith("https:") ? https : http;
  const host = headers.some((it) => it.toLowerCase() === "host") ? [] : ["host", `${hostname}:${port}`];
  const all = [...host, ...headers, "content-length", String(Buffer.byteLength(body))];
  const path = `${door.prefix ?? ""}${to}`;
  return new Promise((resolve, reject) => {
    const options = { ...where, path, method, headers: all, agent: false, rejectUnauthorized: false };
    const sent = request({ ...options, ...door.cert }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("error", reject).on("end", () => {
        const code = /"code":"([^"]+)"/.exec(text)?.[1] ?? "";
        const cookies = response.headers["set-cookie"] ?? [];
        resolve({ status: response.statusCode ?? 0, code, cookie: cookies[0] ?? "", cookies, text });
      });
    });
    sent.on("error", reject).end(body);
  });
}
