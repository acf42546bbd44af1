/** A machine's key in a folder that is gone as soon as the key is read: for tests that keep nothing on disk. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { MachineKey } from "../../src/adapters/audit/key.ts";
import { keyOf } from "../../src/adapters/audit/key.ts";

export function throwawayKey(): () => MachineKey {
  let key: MachineKey | null = null;
  return () => {
    if (key !== null) return key;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-key-"));
    key = keyOf(folder);
    fs.rmSync(folder, { recursive: true });
    return key;
  };
}
