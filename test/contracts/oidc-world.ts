/** A daemon, a small OpenID provider on loopback, and browsers that log in: on this machine's port, and through `oj serve`. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { fakeDaemon } from "../fakes/daemon.ts";
import { CLIENT, oidcServer } from "../fakes/servers/oidc.ts";

interface Page {
  status: number;
  text: string;
  location: string;
  cookie: string;
}

/** Where people reach `oj serve`, as far as the provider and the browser know. */
export const SERVED = "https://oj.example.com";

let asked = 0;

export async function world(more = "") {
  const provider = await oidcServer();
  const daemon = await fakeDaemon({});
  const base = `http://127.0.0.1:${daemon.port}`;
  const folder = path.join(path.dirname(daemon.dir), ".config/oj");
  fs.writeFileSync(path.join(folder, "oidc-secret"), CLIENT.secret, { mode: 0o600 });
  const settings = `[web]\nurl = "${base}"\nserve_url = "${SERVED}"\n[oidc]\nissuer = "${provider.url}"\nclient_id = "${CLIENT.id}"\n`;
  fs.writeFileSync(
    path.join(folder, "config.toml"),
    `${settings}client_secret_file = "oidc-secret"\n${more}\n[oidc.people]\n"Ana@example.com" = "ana"\n`,
  );
  for (const name of ["ana", "ben@example.com"]) await daemon.call("POST", "/people", { name });

  const token = (id: string) => `ojp_${id}_${"s".repeat(43)}`;

  /** A login that waits; returns its id and where the browser goes. */
  async function ask() {
    const id = String(asked++)
      .padStart(12, "a")
      .replace(/[01]/g, (it) => (it === "0" ? "x" : "y"));
    const sha256 = createHash("sha256").update(token(id)).digest("hex");
    const body = { id, sha256, scopes: ["read"], lasts_ms: 60_000, label: "<i>anvil</i>" };
    const headers = { "x-oj-remote": "1", "x-oj-address": `10.0.${asked}.1` };
    const reply = await daemon.call("POST", "/device/codes", body, headers);
    assert.equal(reply.status, 200, reply.text);
    return { id, ...(reply.json as { url: string; code: string }) };
  }

  async function stateOf(id: string): Promise<string> {
    const headers = { "x-oj-remote": "1" };
    const reply = await daemon.call("POST", "/device/polls", { token: token(id) }, headers);
    const { state, person } = reply.json as { state: string; person: string | null };
    return person ?? state;
  }

  const get = (url: string, cookie = "", form?: string, headers: Record<string, string> = {}) =>
    new Promise<Page>((resolve, reject) => {
      const type = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
      const method = form === undefined ? "GET" : "POST";
      const request = http.request(url, { method, headers: { cookie, ...type, ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            location: response.headers.location ?? "",
            cookie: response.headers["set-cookie"]?.[0]?.split(";")[0] ?? "",
          }),
        );
      });
      request.on("error", reject).end(form);
    });

  /** What a browser does until it is back with a code: the address it comes back to, and its cookie. */
  async function throughProvider(url: string) {
    const begun = await get(url);
    assert.equal(begun.status, 302, begun.text);
    const there = await get(begun.location);
    return { back: there.location, cookie: begun.cookie };
  }

  async function logIn() {
    const login = await ask();
    const { back, cookie } = await throughProvider(login.url);
    const page = await get(back, cookie);
    return {
      ...login,
      page,
      back,
      cookie,
      ticket: /name="ticket" value="([^"]+)"/.exec(page.text)?.[1] ?? "",
    };
  }

  const decide = (ticket: string, cookie: string, answer = "approve", headers: Record<string, string> = {}) =>
    get(`${base}/oidc/decide`, cookie, new URLSearchParams({ ticket, answer }).toString(), headers);

  const socket = path.join(path.dirname(daemon.dir), "state/oj.sock");
  const browser = () => browserAt(socket, get);

  return { ...daemon, browser, provider, base, ask, stateOf, get, throughProvider, logIn, decide };
}

type Get = (url: string) => Promise<Page>;

export interface Sent {
  status: number;
  text: string;
  location: string;
  json: { key?: string; next?: string; location?: string; error?: { code: string; details?: object } };
}

/** A browser of somebody elsewhere, as `oj serve` passes it on: it keeps cookies, and the key of its page. */
function browserAt(socket: string, get: Get) {
  const cookies = new Map<string, string>();
  let key = "";

  function send(method: string, url: string, body?: object, more: Record<string, string> = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const ours = { host: new URL(SERVED).host, "x-oj-web": "https", "x-oj-remote": "1" };
    const from = { "x-oj-address": "10.9.8.7", "user-agent": "a test", cookie };
    const fetched = { origin: SERVED, "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const headers = { ...ours, ...from, ...(body && fetched), ...(key && { "x-oj-web-key": key }), ...more };
    return new Promise<Sent>((resolve, reject) => {
      const request = http.request({ socketPath: socket, method, path: url, headers }, (response) => {
        let text = "";
        for (const it of response.headers["set-cookie"] ?? []) keep(it);
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => {
          const isJson = response.headers["content-type"]?.startsWith("application/json");
          const { statusCode: status = 0, headers } = response;
          resolve({ status, text, location: headers.location ?? "", json: isJson ? JSON.parse(text) : {} });
        });
      });
      request.on("error", reject).end(body && JSON.stringify(body));
    });
  }

  function keep(text: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (/Max-Age=0/.test(text)) cookies.delete(name);
    else cookies.set(name, value);
  }

  const begin = (next: unknown = "") => send("POST", "/oidc/begin", { next });
  /** The browser is led to the provider, which leads it back. */
  async function back(location: string): Promise<Sent> {
    const there = await get(location);
    const { pathname, search, origin } = new URL(there.location);
    assert.equal(origin, SERVED);
    const followed = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    return send("GET", pathname + search, undefined, { ...followed, "sec-fetch-dest": "document" });
  }
  async function enter(): Promise<Sent> {
    const reply = await send("POST", "/login", { provider: true });
    key = reply.json.key ?? key;
    return reply;
  }
  async function logIn(next: unknown = ""): Promise<Sent> {
    const returned = await back((await begin(next)).json.location ?? "");
    assert.deepEqual([returned.status, returned.location], [303, "/#provider"], returned.text);
    return enter();
  }
  /** Null: it is not logged in. */
  async function name(): Promise<string | null> {
    const reply = await send("GET", "/api/me");
    return reply.status === 401 ? null : ((JSON.parse(reply.text) as { name: string }).name ?? reply.text);
  }
  return { cookies, send, begin, back, enter, logIn, name };
}
