/**
 * Calls that stay open, through every door: whoever takes all they can get keeps nobody else out, and a place is free
 * again however its call ended.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import http from "node:http";
import net from "node:net";
import { describe, it, onTestFinished } from "vitest";
import { also, few } from "../everything.ts";
import { call, killDaemon, socketOf } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { startOj, tempProject } from "./support/project.ts";
import type { Made } from "./support/served.ts";
import { personWith, served } from "./support/served.ts";
import { settingsWith } from "./support/settings.ts";
import { openTerminal } from "./support/terminal.ts";
import { loggedIn } from "./support/web.ts";

const SLOW_JOB = `
command "slow" { run = { job = "slow" } }
job "slow" { step "wait" { run = "echo begun; exec sleep 600" } }
`;

interface Open {
  status: number;
  text(): string;
  close(): void;
}

/** Opens a call and returns when its head has arrived. */
function open(where: http.RequestOptions, headers: Record<string, string>, body?: object): Promise<Open> {
  return new Promise((resolve, reject) => {
    const request = http.request({ agent: false, ...where, headers });
    onTestFinished(() => void request.destroy());
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.on("error", () => {}).setEncoding("utf8");
      response.on("data", (part) => (text += part));
      const { statusCode: status = 0 } = response;
      const done = () => resolve({ status, text: () => text, close: () => void request.destroy() });
      if (status === 200) done();
      else response.on("end", done);
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

type Kind = "events" | "logs" | "waits";
type Caller = (kind: Kind, body?: object) => Promise<Open>;

/** What a call gets that is over at once: one that would wait for a decision is told that it is pending. */
const GRANTED: Readonly<Record<Kind, number>> = { events: 200, logs: 200, waits: 408 };

async function stage(streams: number) {
  const project = await tempProject(
    { ".oj/runbooks/slow.hcl": SLOW_JOB },
    settingsWith(`[limits]\nstreams = ${streams}\n`),
  );
  const ask = ["decision", "request", "--prompt", "Deploy?", "--option", "Yes", "--option", "No"];
  const { id } = await project.json<{ id: string }>(...ask);
  return { project, id };
}

async function callers({ project, id }: { project: Project; id: string }) {
  const job = (await project.json<{ job_id: string }>("run", "slow")).job_id;
  const bea = await personWith(project, "bea", ["approver"], "answer");
  const again = await project.json<Made>("token", "create", "--for", "bea", "--scope", "answer");
  const ben = await personWith(project, "ben", ["viewer"], "read");
  const owner = await loggedIn(project);
  const url = await served(project);
  const paths: Record<Kind, [string, string]> = {
    events: ["GET", "/events"],
    logs: ["GET", `/jobs/${job}/logs?follow=true`],
    waits: ["POST", `/decisions/${id}/await`],
  };
  const json = { "content-type": "application/json" };
  const { hostname, port, host, origin } = new URL(url);
  const at =
    (place: object, prefix: string, headers: Record<string, string>): Caller =>
    (kind, body = { timeout_ms: 0 }) => {
      const [method, to] = paths[kind];
      const where = { ...place, method, path: `${prefix}${to}` };
      return method === "GET" ? open(where, headers) : open(where, { ...headers, ...json }, body);
    };
  const bearer = ({ token }: Made) => at({ hostname, port }, "/api", { authorization: `Bearer ${token}` });
  const page = { host, origin, "sec-fetch-site": "same-origin" };
  const entered = await fetch(`${url}/login`, {
    method: "POST",
    headers: { origin, ...json },
    body: JSON.stringify({ token: bea.token }),
  });
  assert.equal(entered.status, 200);
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { key } = (await entered.json()) as { key: string };
  const web = { origin: owner.origin, "sec-fetch-site": "same-origin" };
  return {
    socket: at({ socketPath: socketOf(project) }, "", {}),
    "socket by another name": at({ socketPath: socketOf(project) }, "", { "x-oj-user": "zoe" }),
    browser: at({ hostname: "127.0.0.1", port: owner.port }, "/api", {
      ...web,
      cookie: owner.cookie,
      "x-oj-web-key": owner.key,
    }),
    token: bearer(bea),
    "second token": bearer(again),
    "served browser": at({ hostname, port }, "/api", { ...page, cookie, "x-oj-web-key": key }),
    "another person": bearer(ben),
  } satisfies Record<string, Caller>;
}

type Who = keyof Awaited<ReturnType<typeof callers>>;
/** Those in a row are one caller. */
const SAME: readonly (readonly Who[])[] = [
  ["socket", "socket by another name", "browser"],
  ["token", "second token", "served browser"],
  ["another person"],
];

/** Who takes all they can get, of what, and how much that is. */
const HOGS: readonly [Who, Kind, number][] = [
  ["socket", "events", 8],
  ["browser", "events", 8],
  ["token", "events", 8],
  ["served browser", "events", 8],
  ["another person", "events", 8],
  ["socket", "logs", 128],
  ["token", "logs", 128],
  ["token", "waits", 256],
];

describe("a share of the places", () => {
  it("is all that one caller gets, whatever the door; everybody else still gets in", async () => {
    const { project, id } = await stage(16);
    const all = await callers({ project, id });
    for (const [hog, kind, share] of HOGS) {
      const what = `${hog}, ${kind}`;
      const theirs = SAME.find((row) => row.includes(hog)) ?? [];
      const held = Array.from({ length: share }, () => all[hog](kind, {}));
      const taken = kind === "waits" ? [] : await Promise.all(held);
      const ended = Promise.allSettled(held);
      assert.ok(
        taken.every((one) => one.status === 200),
        what,
      );
      const probe = async (who: Who) => {
        const one = await all[who](kind);
        one.close();
        return one;
      };
      await project.until(async () => (await probe(hog)).status === 429, `no more for ${what}`);
      for (const who of theirs) {
        const refused = await probe(who);
        assert.equal(refused.status, 429, `${what}: ${who}`);
        const words = `"request.too-many","message":"you have ${share} `;
        assert.ok(refused.text().includes(words), refused.text());
      }
      for (const who of (Object.keys(all) as Who[]).filter((it) => !theirs.includes(it)))
        assert.equal((await probe(who)).status, GRANTED[kind], `${what}: ${who} was kept out`);
      for (const one of taken) one.close();
      if (kind === "waits") {
        await project.json("decision", "resolve", id, "1");
        assert.ok(
          (await ended).every((one) => one.status === "fulfilled" && one.value.status === 200),
          what,
        );
      } else
        await project.until(
          async () => (await probe(hog)).status === GRANTED[kind],
          `room for ${what} again`,
        );
    }
  });
});

/** Ways in which a stream of bea's ends, or one at the socket. */
const ENDS: Readonly<Record<string, (it: End) => Promise<void> | void>> = {
  "its client leaves": ({ client }) => void client.kill("SIGTERM"),
  "its client is killed": ({ client }) => void client.kill("SIGKILL"),
  "its client stops reading, and its token is revoked": async ({ client, project, made }) => {
    client.kill("SIGSTOP");
    await project.json("token", "revoke", made.id);
  },
  "its token is revoked": async ({ project, made }) => void (await project.json("token", "revoke", made.id)),
  "its token expires": async ({ project, made }) => {
    const body = { token: made.id, overlap_ms: 300, lasts_ms: null };
    assert.equal((await call(project, "POST", "/tokens/rotate", { body })).status, 200);
  },
  "its person loses the role": async ({ project }) => {
    await project.json("role", "revoke", "bea", "viewer");
    await project.json("role", "grant", "bea", "viewer");
  },
  "the door is killed": ({ door }) => void process.kill(door, "SIGKILL"),
  "the daemon is stopped": async ({ project }) => {
    await project.run("daemon", "stop");
    await project.json("status");
  },
  "the daemon is killed": async ({ project }) => {
    await killDaemon(project);
    await project.json("status");
  },
};

interface End {
  project: Project;
  made: Made;
  client: ReturnType<typeof spawn>;
  /** The process of `oj serve`. */
  door: number;
}

describe("a place is free again when", () => {
  for (const [how, end] of few(Object.entries(ENDS), 2))
    it(how, async () => {
      const { project } = await stage(2); // one for each
      const made = await personWith(project, "bea", ["viewer"], "read");
      const spare = await project.json<Made>("token", "create", "--for", "bea", "--scope", "read");
      const door = project.start("serve", "--listen", "127.0.0.1:0", "-o", "json");
      const said = await project.until(() => door.stdout().includes("}") && door.stdout(), "the door");
      const url = (JSON.parse(said) as { url: string }).url;
      const client = spawn("curl", ["-sN", "-H", `authorization: Bearer ${made.token}`, `${url}/api/events`]);
      onTestFinished(() => void client.kill("SIGKILL"));
      let heard = "";
      client.stdout.on("data", (part) => (heard += part));
      await project.until(() => heard.includes(": oj"), "the stream");
      // as bea, through the socket: another door, the same person
      const headers = { authorization: `Bearer ${spare.token}` };
      const again = async () => {
        const one = await open({ socketPath: socketOf(project), path: "/events" }, headers);
        one.close();
        return one.status;
      };
      assert.equal(await again(), 429);
      await end({ project, made, client, door: door.pid });
      await project.until(async () => (await again().catch(() => 0)) === 200, "room again");
    });

  it("only its head was asked for", async () => {
    const { project } = await stage(2);
    for (let n = 0; n < 5; n++) {
      const socket = net.connect(socketOf(project));
      socket.end("HEAD /events HTTP/1.1\r\nhost: oj\r\nconnection: close\r\n\r\n");
      let text = "";
      socket.setEncoding("utf8").on("data", (part) => (text += part));
      await new Promise((resolve) => socket.on("close", resolve));
      assert.match(text, /^HTTP\/1\.1 200/, `the ${n}th`);
    }
  });
});

describe("without a place", () => {
  also("oj decision watch says so, full screen or not, and goes on when there is one", async () => {
    const { project } = await stage(2);
    const hog = await open({ socketPath: socketOf(project), path: "/events" }, {});
    assert.equal(hog.status, 200);
    const headless = startOj(["decision", "watch", "--headless"], project.dir, project.env);
    const terminal = await openTerminal(project, ["decision", "watch"], { columns: 120, rows: 30 });
    const words =
      /you have 1 event stream open, and 1 of 2 are left for others \(end one of yours first, or raise/;
    await project.until(() => words.test(headless.stderr()), "its words");
    assert.match(headless.stderr(), /this continues when there is room/);
    await terminal.shows(/Deploy\?/);
    await terminal.shows(/○ not live: too many event streams/);
    await terminal.shows(/you have 1 event stream open/);
    headless.kill("SIGTERM");
    await headless.ended;
    hog.close();
    await terminal.shows(/● live[\s\S]*live again/);
    await project.json("decision", "request", "--prompt", "Tag it?", "--option", "Yes", "--option", "No");
    await terminal.shows(/Tag it\?/);
    const next = startOj(["decision", "watch", "--headless"], project.dir, project.env);
    await project.until(() => words.test(next.stderr()), "its words");
    await terminal.press("q");
    await project.until(terminal.isOver);
    await project.json("decision", "request", "--prompt", "Now?", "--option", "Yes", "--option", "No");
    await project.until(() => next.stdout().includes("Now?"), "what was missed meanwhile");
    next.kill("SIGTERM");
    await next.ended;
  });

  it("the address at oj serve may go on calling", async () => {
    const { project } = await stage(2);
    const made = await personWith(project, "bea", ["viewer"], "read");
    const url = await served(project);
    const { hostname, port } = new URL(url);
    const headers = { authorization: `Bearer ${made.token}` };
    const stream = () => open({ hostname, port, path: "/api/events" }, headers);
    assert.equal((await stream()).status, 200);
    for (let n = 0; n < 30; n++) assert.equal((await stream()).status, 429);
    const { status } = await fetch(`${url}/api/decisions`, { headers });
    assert.equal(status, 200, "whoever has to wait for room is no stranger");
  });
});
