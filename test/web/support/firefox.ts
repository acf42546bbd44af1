/** The machine's own Firefox, with a push service of the test's. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "puppeteer-core";
import puppeteer from "puppeteer-core";
import { onTestFinished } from "vitest";

const PROGRAM = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((it) => fs.existsSync(it));

/** Why there is nothing to drive; null: there is. */
export const noFirefox = PROGRAM === undefined ? "firefox-esr is not installed" : null;

/** It may show notifications, and gets its push messages from this address. */
export async function firefox(pushUrl: string): Promise<Browser> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-firefox-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: PROGRAM ?? "",
    headless: true,
    userDataDir: path.join(dir, "profile"),
    env: { ...process.env, HOME: dir },
    timeout: 60_000,
    extraPrefsFirefox: {
      "dom.push.serverURL": pushUrl,
      "dom.push.testing.allowInsecureServerURL": true,
      "dom.push.connection.enabled": true,
      "permissions.default.desktop-notification": 1,
      "alerts.useSystemBackend": false, // there is no desktop that would show them
    },
  });
  onTestFinished(() => browser.close());
  return browser;
}
