/** The programs `bd` under test, as `npm run test:beads` names them: the real ones it has built, or the double. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { doubledBd, lockDouble } from "../fakes/bd/doubled.ts";

export interface BdProgram {
  version: string;
  /** The folder that has it, made if need be. */
  bin(dir: string): string;
  /** Holds the lock of the database until it is called. */
  lock(dotBeads: string): Promise<() => void>;
}

const named = JSON.parse(process.env.OJ_BD ?? "[]") as [version: string, bin: string][];

export const PROGRAMS: readonly BdProgram[] = named.map(([version, bin]) =>
  version === "double"
    ? { version, bin: (dir) => doubledBd(path.join(dir, "bin")), lock: lockDouble }
    : { version, bin: () => bin, lock: lockReal },
);

/** With flock(1), as the database itself does it. */
async function lockReal(dotBeads: string): Promise<() => void> {
  const dolt = path.join(dotBeads, "embeddeddolt");
  const [name = ""] = fs
    .readdirSync(dolt)
    .filter((it) => fs.existsSync(path.join(dolt, it, ".dolt/noms/LOCK")));
  const file = path.join(dolt, name, ".dolt/noms/LOCK");
  const holder = spawn("flock", [file, "sh", "-c", "echo held; exec sleep 600"], { detached: true });
  await new Promise((resolve, reject) => {
    holder.once("error", reject);
    holder.stdout.once("data", resolve);
  });
  return () => {
    if (holder.pid !== undefined) process.kill(-holder.pid, "SIGKILL");
  };
}
