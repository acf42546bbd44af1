/**
 * The floor of a question: a server that does nothing but what every such server must. It parses the request, commits it
 * to SQLite with its own thread, tells who listens, and answers.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import http from "node:http";
import path from "node:path";
import { loadDriver } from "../../src/adapters/sqlite/driver.ts";

export interface Bare {
  socket: string;
  stop(): Promise<void>;
}

/** In a process of its own, with a database below `dir`. */
export async function startBareStore(dir: string): Promise<Bare> {
  fs.mkdirSync(dir, { recursive: true });
  const child = spawn(process.execPath, [process.argv[1] ?? "", "--child", "bare", dir], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH ?? "" },
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return {
    socket: socketIn(dir),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

const socketIn = (dir: string) => path.join(dir, "bare.sock");

/** The process that `startBareStore` starts: it serves until it is killed. */
export async function serveBareStore(dir: string): Promise<never> {
  const commit = await committing(path.join(dir, "bare.db"));
  const streams = new Set<ServerResponse>();
  const waiting = new Map<string, ServerResponse>();
  http
    .createServer(async (request, response) => {
      const [, , id = "", what = ""] = (request.url ?? "").split("/");
      if (request.url === "/events") {
        streams.add(response.writeHead(200, { "content-type": "text/event-stream" }));
        response.flushHeaders();
        return;
      }
      if (request.method === "GET") {
        send(response, "{}");
        return;
      }
      const text = JSON.stringify(await bodyOf(request));
      if (what === "await") {
        waiting.set(id, response);
        return;
      }
      const seq = commit(text);
      for (const it of streams) it.write(`id: ${seq}\ndata: ${text}\n\n`);
      const held = waiting.get(id);
      waiting.delete(id);
      if (held) send(held, text);
      send(response, `{"id":"${seq}"}`);
    })
    .listen(socketIn(dir), () => process.stdout.write("ready\n"));
  return new Promise<never>(() => undefined);
}

async function committing(file: string): Promise<(text: string) => number> {
  const db = (await loadDriver()).open(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec("CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  const insert = db.prepare("INSERT INTO events (seq, body) VALUES (?, ?)");
  let seq = 0;
  return (text) => {
    insert.run(++seq, text);
    return seq;
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString());
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
