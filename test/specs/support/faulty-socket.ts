/** A socket in front of the daemon's, on which connections break when a request for a decision is sent. */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { socketOf } from "./http.ts";
import type { Project } from "./project.ts";

/** Where it breaks: before the daemon has it, when the daemon has taken it, or while its answer is on the way. */
export type Fault = "before" | "taken" | "after";

export interface FaultySocket {
  /** The environment of a client that goes through it. */
  env: Record<string, string>;
  broken(): number;
  close(): Promise<void>;
}

/** Asks before each request, by its bytes, whether and where it breaks; `taken` waits for what is done then. */
export async function faultySocket(
  project: Project,
  faultOf: (request: string) => Fault | null,
  taken: () => Promise<void> = async () => {},
): Promise<FaultySocket> {
  const stateDir = path.join(project.home, "faulty");
  fs.mkdirSync(stateDir);
  let broken = 0;
  const server = net.createServer((client) => {
    const daemon = net.connect(socketOf(project));
    const end = () => {
      client.destroy();
      daemon.destroy();
    };
    const breakOff = () => {
      if (!client.destroyed) broken += 1;
      end();
    };
    for (const it of [client, daemon]) it.on("error", end);
    client.on("close", end);
    let fault: Fault | null = null;
    let request = Buffer.alloc(0);
    client.on("data", (bytes) => {
      request = Buffer.concat([request, bytes]);
      if (fault !== null || !isWhole(request)) return; // it may come in several parts
      const whole = request;
      request = Buffer.alloc(0);
      if (whole.toString("latin1").startsWith("POST /decisions HTTP")) fault = faultOf(whole.toString());
      if (fault === "before") return breakOff();
      daemon.write(whole);
      if (fault === "taken") void taken().then(breakOff);
    });
    daemon.on("data", (bytes) => {
      if (fault === "after") breakOff();
      else if (fault === null) client.write(bytes);
    });
    daemon.on("end", () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(path.join(stateDir, "oj.sock"), resolve));
  return {
    env: { ...project.env, OJ_STATE_DIR: stateDir },
    broken: () => broken,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The head, and as much after it as the head says. */
function isWhole(request: Buffer): boolean {
  const end = request.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(request.toString("latin1", 0, end))?.[1] ?? 0);
  return request.length >= end + 4 + length;
}
