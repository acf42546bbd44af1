/**
 * What this machine can do right now: a bare HTTP server that writes one byte to disk before it answers. It is asked alternately with the
 * daemon, so that a loaded machine slows both alike.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { onTestFinished } from "vitest";

const SERVER = `
const fs = require("node:fs");
const [socket, file] = process.argv.slice(1);
const fd = fs.openSync(file, "a");
require("node:http").createServer((request, response) => {
  fs.write(fd, "x", () => fs.fdatasync(fd, () => response.end("[]")));
}).listen(socket, () => console.log("ready"));
process.stdin.on("close", () => process.exit()).resume();`;

/** Returns a call to it. It ends with the test. */
export async function startFloor(folder: string): Promise<() => Promise<void>> {
  const socketPath = path.join(folder, "floor.sock");
  const child = spawn(process.execPath, ["-e", SERVER, socketPath, path.join(folder, "floor.data")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.stdin.end());
  await once(child.stdout, "data");
  return () =>
    new Promise((resolve, reject) => {
      http
        .get({ socketPath, agent: false }, (response) => response.resume().on("end", resolve))
        .on("error", reject);
    });
}

/** The time of each call, in milliseconds. */
export async function timed(into: number[], call: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await call();
  into.push(performance.now() - startedAt);
}

export function percentile(times: readonly number[], part: number): number {
  return [...times].sort((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN;
}
