/** The browser that tests and benchmarks drive: the machine's own chromium. */
import fs from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";

const PROGRAM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((it) =>
  fs.existsSync(it),
);

/** Then there is nothing to drive: `npm test` installs one if it may. */
export const noBrowser = PROGRAM === undefined;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM ?? "",
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
