/** Many callers that wait at once, as bare bytes: a thousand HTTP clients would take longer than what they measure. */
import { spawn } from "node:child_process";
import net from "node:net";
import path from "node:path";

export interface Waiter {
  /** When the whole answer had arrived. */
  arrived: Promise<number>;
  close(): void;
}

export function awaiting(id: string, body: { timeout_ms?: number } = {}): string {
  const text = JSON.stringify(body);
  return `POST /decisions/${id}/await HTTP/1.1\r\nhost: oj\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

/** Returns when all earlier callers are waiting. Node accepts new connections in order, one per turn of its event loop. */
export async function allWait(socketPath: string, id: string): Promise<void> {
  await (await wait(socketPath, awaiting(id, { timeout_ms: 1 }))).arrived;
}

export function wait(socketPath: string, request: string): Promise<Waiter> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ path: socketPath });
    const arrived = new Promise<number>((done) => {
      let at = Number.NaN;
      socket.on("data", () => {
        at = performance.now();
      });
      socket.once("close", () => done(at));
    });
    socket.once("error", (error) => reject(new Error(`${request.slice(0, 40)}: ${error.message}`)));
    socket.once("connect", () => {
      socket.write(request);
      resolve({ arrived, close: () => socket.destroy() });
    });
  });
}

export interface Holder {
  /** So many wait, and are released at once: how long after that each of them has its answer. */
  round(waiters: number): Promise<number[]>;
  stop(): void;
}

/** The floor: a bare Node server in its own process that keeps requests open until one comes that releases them all. */
export async function startHolder(dir: string): Promise<Holder> {
  const socket = path.join(dir, "holder.sock");
  const child = spawn(process.execPath, ["-e", HOLDER, socket], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH ?? "" },
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const ask = (to: string) => `GET ${to} HTTP/1.1\r\nhost: oj\r\nconnection: close\r\n\r\n`;
  return {
    async round(number) {
      const waiters = await Promise.all(Array.from({ length: number }, () => wait(socket, ask("/hold"))));
      await (await wait(socket, ask(`/until?${number}`))).arrived;
      const from = performance.now();
      const go = await wait(socket, ask("/go"));
      const arrived = await Promise.all(waiters.map((it) => it.arrived));
      await go.arrived;
      return arrived.map((at) => at - from);
    },
    stop: () => child.kill("SIGKILL"),
  };
}

const HOLDER = `
const held = [];
const answer = Buffer.alloc(1800, 120);
let ready = () => {};
require("node:http").createServer((request, response) => {
  const [to, number] = request.url.split("?");
  if (to === "/hold") held.push(response);
  if (to === "/until") ready = () => held.length >= Number(number) && response.end("yes");
  if (to === "/go") {
    for (const it of held.splice(0)) it.end(answer);
    response.end("gone");
  } else ready();
}).listen({ path: process.argv[1], backlog: 4096 }, () => console.log("ready"));
`;
