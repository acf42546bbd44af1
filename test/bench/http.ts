/** Calls over a kept-alive connection, and the bare Node server that they are compared with. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

export interface Caller {
  /** Returns when the last byte of the answer has arrived. */
  call(method: string, to: string, body?: unknown): Promise<string>;
  close(): void;
}

export function callerOn(socketPath: string, connections = 1): Caller {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  return {
    call: (method, to, body) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? null : JSON.stringify(body);
        const headers = text
          ? { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
          : {};
        const request = http.request({ socketPath, method, path: to, headers, agent }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            const answer = Buffer.concat(parts).toString();
            if ((response.statusCode ?? 500) < 400) resolve(answer);
            else reject(new Error(`${method} ${to}: ${response.statusCode} ${answer}`));
          });
        });
        request.on("error", reject);
        request.end(text ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const BARE = `
const [socket, file] = process.argv.slice(1);
const answer = require("node:fs").readFileSync(file);
require("node:http").createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
    response.end(answer);
  });
}).listen(socket, () => console.log("ready"));
process.stdin.resume().on("end", () => process.exit());
`;

/** A Node process that answers every request with these bytes. */
export async function startBare(
  dir: string,
  answer: string,
): Promise<{ socket: string; stop(): Promise<void> }> {
  const name = `bare-${Math.random().toString(36).slice(2, 8)}`;
  const [socket, file] = [path.join(dir, `${name}.sock`), path.join(dir, `${name}.txt`)];
  fs.writeFileSync(file, answer);
  const child = spawn(process.execPath, ["-e", BARE, socket, file], {
    stdio: ["pipe", "pipe", "inherit"], // it ends with its input, so that it never outlives us
    env: { PATH: process.env.PATH ?? "" },
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return {
    socket,
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}
