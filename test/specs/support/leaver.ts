/** The doors of one machine, as somebody meets them who was let in before: each says whether it still lets them in. */
import assert from "node:assert/strict";
import http from "node:http";
import path from "node:path";
import type { Project } from "./project.ts";
import { startOj } from "./project.ts";
import { send } from "./raw-http.ts";
import { served } from "./served.ts";
import { doorOf, enter } from "./web.ts";

/** What opens the doors, in the person's own config. */
export const DOORS = '[ssh]\nenabled = true\n[proxy]\nheader = "x-forwarded-user"\n';

export interface Stream {
  /** The code of its last word. */
  ended: Promise<string>;
}

export interface Walk {
  /** By door. */
  doors(): Promise<Record<string, boolean>>;
  /** Where `oj serve` is. */
  url: string;
  /** Event streams that are open now: by a token, and by what a proxy says. */
  streams(): Promise<Stream[]>;
}

const JSON_BODY = ["content-type", "application/json"];

/** `name` has a token and a role with which they may read. */
export async function doorsAt(project: Project, name: string, token: string): Promise<Walk> {
  const url = await served(project);
  const socket = `unix:${path.join(project.home, "door.sock")}`;
  const serve = project.start("serve", "-o", "json", "--listen", socket);
  await project.until(() => serve.stdout().includes("}"), "the proxy's door");
  const page = pageAt(url);
  const bearer = ["authorization", `Bearer ${token}`];
  const proxied = ["x-forwarded-user", name];

  const login = await logIn(url, page, { token });
  const named = await logIn(socket, [...page, ...proxied], { token: "" });
  const own = await ownLogin(project, name);

  return {
    url,
    doors: async () => ({
      token: await reads(url, bearer),
      "the same token, for a new login": await send(
        { url },
        "POST",
        "/login",
        [...page, ...JSON_BODY],
        JSON.stringify({ token }),
      ).then((it) => it.status === 200),
      "a browser's login": await reads(url, login),
      proxy: await reads(socket, proxied),
      "a browser's login by the proxy": await reads(socket, named),
      ssh: await bySsh(project, name),
      "a login on the machine itself": await own(),
    }),
    streams: () => Promise.all([opened(url, bearer), opened(url, login), opened(socket, proxied)]),
  };
}

const pageAt = (url: string) => {
  const { host, origin } = new URL(url);
  return ["host", host, "origin", origin, "sec-fetch-site", "same-origin"];
};

async function logIn(to: string, headers: string[], body: object): Promise<string[]> {
  const reply = await send({ url: to }, "POST", "/login", [...headers, ...JSON_BODY], JSON.stringify(body));
  assert.equal(reply.status, 200, reply.text);
  const { key } = JSON.parse(reply.text) as { key: string };
  return [...headers, "cookie", reply.cookie.split(";")[0] ?? "", "x-oj-web-key", key];
}

async function reads(to: string, headers: string[]): Promise<boolean> {
  const { status, text } = await send({ url: to }, "GET", "/api/decisions", headers);
  assert.ok([200, 401].includes(status), text);
  return status === 200;
}

/** A browser that logs in with a token: whether it is still let in. */
export async function browserAt(url: string, token: string): Promise<() => Promise<boolean>> {
  const login = await logIn(url, pageAt(url), { token });
  return () => reads(url, login);
}

/** With a link that the machine's own user made in their name. */
async function ownLogin(project: Project, name: string): Promise<() => Promise<boolean>> {
  const env = { ...project.env, OJ_USER: name };
  const { code, stdout, stderr } = await startOj(["web", "-o", "json"], project.dir, env).ended;
  assert.equal(code, 0, stderr);
  const { url } = JSON.parse(stdout) as { url: string };
  const secret = new URLSearchParams(new URL(url).hash.slice(1)).get("login") ?? "";
  const entered = await enter(doorOf(project), secret);
  assert.equal(entered.status, 200, entered.text);
  const { key } = JSON.parse(entered.text) as { key: string };
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return async () => {
    const now = doorOf(project); // it may have another port since
    const headers = { origin: now.origin, "sec-fetch-site": "same-origin", cookie, "x-oj-web-key": key };
    const { status, text } = await now.ask("GET", "/api/me", { headers });
    assert.ok([200, 401].includes(status), text);
    return status === 200;
  };
}

async function bySsh(project: Project, name: string): Promise<boolean> {
  const args = ["ssh", "--as", name, "--state-dir", project.stateDir];
  const { code, stdout, stderr } = await startOj(args, project.home, {
    PATH: project.env.PATH ?? "",
    HOME: project.home,
    SSH_CONNECTION: "192.0.2.7 50000 192.0.2.1 22",
    SSH_ORIGINAL_COMMAND: "oj decision list -o json",
  }).ended;
  assert.ok(code === 0 || /login.required|not-found/.test(stdout + stderr), stdout + stderr);
  return code === 0;
}

/** Resolves once the stream has begun. */
export function opened(url: string, headers: string[]): Promise<Stream> {
  const isUnix = url.startsWith("unix:");
  const { hostname = "", port = "" } = isUnix ? {} : new URL(url);
  const where = isUnix ? { socketPath: url.slice(5) } : { host: hostname, port };
  const host = headers.includes("host") ? [] : ["host", `${hostname}:${port}`];
  return new Promise((resolve, reject) => {
    const options = { ...where, path: "/api/events", headers: [...host, ...headers], agent: false };
    http
      .get(options, (response) => {
        let text = "";
        const ended = new Promise<string>((end) => {
          response.setEncoding("utf8").on("data", (part: string) => (text += part));
          response.on("close", () => end(/"code":"([a-z.-]+)"/.exec(text)?.[1] ?? text));
        });
        resolve({ ended });
      })
      .on("error", reject);
  });
}
