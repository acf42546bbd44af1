/** The notifier's contract, kept by the desktop's programs and by the fake. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { desktopNotifier } from "../../src/adapters/system/desktop-notifier.ts";
import { fakeJournal } from "../fakes/fake-journal.ts";
import { fakeNotifier } from "../fakes/fake-notifier.ts";
import { notifierContract } from "./notifier.contract.ts";
import { tempFolder } from "./temp.ts";

/** A program of that name which writes its last two arguments down, as the desktop would show them. */
async function desktop(platform: "linux" | "darwin", program: string) {
  const dir = await tempFolder();
  const shown = path.join(dir, "shown");
  const becomes = (...script: string[]) =>
    fs.writeFileSync(path.join(dir, program), [`#!${process.execPath}`, ...script].join("\n"), {
      mode: 0o755,
    });
  becomes(
    `if (process.argv[2] === "--version") process.exit(0);`,
    `const [title, text] = process.argv.slice(-2);`,
    `require("node:fs").appendFileSync(${JSON.stringify(shown)}, JSON.stringify({ title, text }) + "\\n");`,
  );
  const journal = fakeJournal();
  const notifier = desktopNotifier({ platform, env: { PATH: dir }, journal });
  const told = () =>
    fs
      .readFileSync(shown, "utf8")
      .trimEnd()
      .split("\n")
      .map((it) => JSON.parse(it));
  const breaks = () => becomes(`console.error("no session bus");`, "process.exit(1);");
  return { notifier, told, journal, breaks };
}

notifierContract("notify-send", () => desktop("linux", "notify-send"));
notifierContract("osascript", () => desktop("darwin", "osascript"));
notifierContract("the fake", async () => {
  const notifier = fakeNotifier();
  return { notifier, told: () => notifier.told, breaks: () => (notifier.trouble = "no session bus") };
});

const hello = { title: "oj", text: "hello", isUrgent: false };

describe("a desktop that shows nothing", () => {
  it("says why: its program is missing, or what it said when it failed", async () => {
    const journal = fakeJournal();
    const missing = desktopNotifier({ platform: "linux", env: { PATH: "/nowhere" }, journal });
    assert.equal(await missing.check(), "notify-send is not installed");
    assert.equal(await missing.notify(hello), "notify-send is not installed");
    assert.deepEqual(
      journal.lines.map(({ level, message }) => [level, message]),
      [["debug", "could not show a notification"]],
    );
    const failing = await desktop("linux", "notify-send");
    failing.breaks();
    assert.equal(await failing.notifier.notify(hello), "notify-send failed: no session bus");
    assert.equal(await failing.notifier.check(), "notify-send failed: no session bus");
  });
});

describe("notify-send", () => {
  it("gets no markup and no control characters from what an agent writes", async () => {
    const { notifier, told } = await desktop("linux", "notify-send");
    const text = '<a href="http://x">Yes & no</a>\nnext\u0000\u001b[1mline';
    await notifier.notify({ title: "oj: a\u0000b <c>", text, isUrgent: false });
    const shown = '&lt;a href="http://x"&gt;Yes &amp; no&lt;/a&gt;\nnext  [1mline';
    assert.deepEqual(told(), [{ title: "oj: a b <c>", text: shown }]);
  });
});
