/** Puts the double of `bd` into a folder for programs, and locks its database. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = path.join(path.dirname(fileURLToPath(import.meta.url)), "bd.mjs");

/** Returns the folder. */
export function doubledBd(bin: string, version = "1.3.0"): string {
  fs.mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nBD_DOUBLE=${version} exec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  fs.writeFileSync(path.join(bin, "bd"), script, { mode: 0o755 });
  return bin;
}

/** Holds the lock of the database in this folder until the returned function is called. */
export async function lockDouble(dotBeads: string): Promise<() => void> {
  const holder = spawn("sleep", ["600"]);
  const file = path.join(dotBeads, "lock");
  for (;;) {
    try {
      fs.writeFileSync(file, String(holder.pid), { flag: "wx" });
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return () => {
    holder.kill("SIGKILL");
    fs.rmSync(file, { force: true });
  };
}
