import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { describe, it, onTestFinished } from "vitest";
import { also, few } from "../everything.ts";
import { call, killDaemon, question, socketOf } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

/** Half of what there is: the rest is for others. */
const LIMIT = 128;

/** Ends at once, by skipping its many steps: each leaves two events. */
const MANY_EVENTS = `
command "burst" { run = { job = "burst" } }
job "burst" {
  on_fail = { step = "never" }
  step "never" { run = "true" }
${Array.from({ length: 190 }, (_, n) => `  step "s${n}" { depends_on = ["never"]  run = "true" }`).join("\n")}
}
`;

interface Stream {
  status: number;
  /** Ids of the events so far. */
  ids: number[];
  text(): string;
  ended: Promise<void>;
  close(): void;
}

/** Opens an event stream, and returns when its head has arrived. */
function open(project: Project, to: string, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { socketPath: socketOf(project), path: to, headers, agent: false },
      (response) => {
        let text = "";
        const ids: number[] = [];
        let seen = 0;
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
          const end = text.lastIndexOf("\n\n");
          for (const [, id] of text.slice(seen, end + 1).matchAll(/^id: (\d+)$/gm)) ids.push(Number(id));
          seen = Math.max(seen, end + 1);
        });
        response.on("error", () => undefined);
        const ended = new Promise<void>((over) => response.on("close", over));
        resolve({
          status: response.statusCode ?? 0,
          ids,
          text: () => text,
          ended,
          close: () => request.destroy(),
        });
      },
    );
    request.on("error", reject);
    onTestFinished(() => void request.destroy());
  });
}

async function running(files: Record<string, string> = {}): Promise<Project> {
  const project = await tempProject(files);
  await project.run("daemon", "start");
  return project;
}

const seqOf = async (project: Project) => (await call(project, "GET", "/health")).json<{ seq: number }>().seq;
const ask = (project: Project, prompt: string) =>
  call(project, "POST", "/decisions", { body: question(project, prompt) });

describe("event streams", () => {
  for (const to of few(["/events?after=0", "/events"], 1)) {
    it(`are limited in number, even if all are opened at once (${to})`, async () => {
      const project = await running();
      await ask(project, "first");
      const streams = await Promise.all(Array.from({ length: 172 }, () => open(project, to)));
      const taken = streams.filter((it) => it.status === 200);
      const told = streams.filter((it) => it.status === 429);
      assert.equal(taken.length, LIMIT);
      assert.equal(told.length, 172 - LIMIT);
      await Promise.all(told.map((it) => it.ended));
      for (const it of told)
        assert.match(
          it.text(),
          /"request\.too-many".*you have 128 event streams open, and 128 of 256 are left for others/,
        );
      await ask(project, "all of them hear of it");
      const seq = await seqOf(project);
      await Promise.all(taken.map((it) => project.until(() => it.ids.at(-1) === seq)));
    });
  }

  also("make room for others once they are given up", async () => {
    const project = await running();
    await ask(project, "first");
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        Array.from({ length: 200 }, async (_, n) => {
          const socket = net.connect(socketOf(project));
          socket.on("error", () => undefined);
          socket.write(`GET /events?after=${n % 2} HTTP/1.1\r\nhost: oj\r\n\r\n`, () => socket.destroy());
          await new Promise((resolve) => socket.on("close", resolve));
        }),
      );
    }
    await project.until(async () => {
      const all = Array.from({ length: LIMIT }, () => open(project, "/events?after=0").catch(() => null));
      const streams = await Promise.all(all); // the system may refuse connections while many are waiting
      for (const it of streams) it?.close();
      return streams.every((it) => it?.status === 200);
    }, "room for all streams");
  });

  it("are ended if nobody reads them, and continue where they stopped", async () => {
    const project = await running({ ".oj/runbooks/burst.hcl": MANY_EVENTS });
    const lazy = await openUnread(project);
    const body = { cwd: project.dir, project: "shop", command: "burst" };
    for (let n = 0; n < 45; n++) {
      const started = await call(project, "POST", "/run", { body });
      assert.equal(started.status, 200, started.text);
    }
    const seq = await seqOf(project);
    assert.ok(seq > 15_000, `${seq} events`);
    const text = await lazy.readOn();
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((it) => Number(it[1]));
    const last = ids.at(-1) ?? 0;
    assert.match(text, /: too slow; resume after the last id/);
    assert.ok(last < seq, "it was ended before the last event");
    assert.deepEqual(
      ids,
      Array.from({ length: last }, (_, n) => n + 1),
    );

    const rest = await open(project, "/events", { "last-event-id": String(last) });
    await project.until(() => rest.ids.at(-1) === seq, "the rest");
    assert.deepEqual(
      rest.ids,
      Array.from({ length: seq - last }, (_, n) => last + n + 1),
    );
  });

  it("resume after a crash without a gap and without a repetition", async () => {
    const project = await running();
    for (const prompt of ["a", "b", "c"]) await ask(project, prompt);
    const before = await open(project, "/events?after=0");
    await project.until(() => before.ids.length === 3);
    await killDaemon(project);
    await before.ended;
    await project.run("daemon", "start");
    for (const prompt of ["d", "e"]) await ask(project, prompt);
    const after = await open(project, "/events", { "last-event-id": String(before.ids.at(-1)) });
    await project.until(() => after.ids.length === 2);
    assert.deepEqual([...before.ids, ...after.ids], [1, 2, 3, 4, 5]);
  });

  also("refuse a starting point that is not a number", async () => {
    const project = await running();
    for (const to of ["/events?after=x", "/events?after=-1", "/events?after=1.5"])
      assert.equal((await call(project, "GET", to)).status, 422, to);
    const odd = await call(project, "GET", "/events", { headers: { "last-event-id": "x" } });
    assert.equal(odd.status, 422, odd.text);
  });
});

/** A stream that nobody reads until `readOn`, which returns all of it once it has ended. */
async function openUnread(project: Project): Promise<{ readOn(): Promise<string> }> {
  const socket = net.connect(socketOf(project));
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write("GET /events?after=0 HTTP/1.1\r\nhost: oj\r\nconnection: close\r\n\r\n");
  await new Promise((resolve) => socket.once("connect", resolve));
  return {
    readOn: () =>
      new Promise((resolve, reject) => {
        let text = "";
        socket.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        socket.on("error", reject);
        socket.on("close", () => resolve(text.replaceAll(/\r\n[0-9a-f]+\r\n/g, "")));
        socket.resume();
      }),
  };
}
