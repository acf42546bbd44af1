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
      broken += 1;
      end();
    };
    for (const it of [client, daemon]) it.on("error", end);
    client.on("close", end);
    let fault: Fault | null | undefined;
    client.on("data", (bytes) => {
      const text = bytes.toString();
      if (fault === undefined && text.startsWith("POST /decisions HTTP")) fault = faultOf(text);
      if (fault === "before") return breakOff();
      daemon.write(bytes);
      if (fault === "taken") void taken().then(breakOff);
    });
    daemon.on("data", (bytes) => {
      if (fault === "after") breakOff();
      else if (fault !== "taken") client.write(bytes);
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
