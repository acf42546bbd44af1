/** The browser that tests and benchmarks drive: the machine's own chromium, without its windows if it comes like that. */
import fs from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";

const WHOLE = find("chromium", "chromium-browser", "google-chrome");

/** The same engine with nothing around it: a page takes a third of the processor time, but no notification is shown. */
const PROGRAM = find("chromium-headless-shell") ?? WHOLE;

/** Then there is nothing to drive: `npm test` installs one if it may. */
export const noBrowser = WHOLE === undefined;

export function launch({ whole = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: (whole ? WHOLE : PROGRAM) ?? "",
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-ipc-flooding-protection", // lets a page go to more than 200 places in 30 s
      "--no-first-run",
    ],
  });
}

function find(...names: string[]): string | undefined {
  return names.map((it) => `/usr/bin/${it}`).find((it) => fs.existsSync(it));
}
