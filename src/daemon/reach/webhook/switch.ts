/** A webhook whose server answered 410 (Gone) is off until its address changes, also after a restart. */
import fs from "node:fs/promises";
import path from "node:path";

export interface Switch {
  /** Since when it is off, and what to do about it; null while it is on. */
  off(): string | null;
  turnOff(now: number): Promise<void>;
}

export async function openSwitch(dir: string, url: string): Promise<Switch> {
  const file = path.join(dir, "gone.json");
  let since: string | null = null;
  try {
    const kept = JSON.parse(await fs.readFile(file, "utf8")) as { url?: unknown; since?: unknown };
    if (kept.url === url && typeof kept.since === "string") since = kept.since;
  } catch {
    // never switched off
  }
  return {
    off: () =>
      since && `switched off: its server answered 410 (Gone) at ${since}; change its url, or remove ${file}`,
    async turnOff(now) {
      since = new Date(now).toISOString();
      await fs.mkdir(dir, { recursive: true, mode: 0o700 });
      await fs.writeFile(file, JSON.stringify({ url, since }), { mode: 0o600 });
    },
  };
}
