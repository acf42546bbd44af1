/** Puts the double of `bd` into a folder for programs. */
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
