/** How a hook's command reads its input, with a real pipe. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { jsonFrom } from "../../src/cli/base/turn.ts";

/**
 * What a client wrote to our stdin, which is opened as Node opens it: read only once somebody listens. Not for a thread: when it
 * ends, Node closes what was opened in it, and knows nothing of a descriptor that a socket has closed long before.
 */
function stdinWith(written: string): net.Socket {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-turn-"));
  const file = path.join(dir, "stdin");
  execFileSync("mkfifo", [file]);
  const client = fs.openSync(file, fs.constants.O_RDWR);
  fs.writeSync(client, written);
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const options = { fd, readable: true, writable: false, manualStart: true };
  const stdin = new net.Socket(options);
  onTestFinished(() => {
    stdin.destroy();
    fs.closeSync(client);
    fs.rmSync(dir, { recursive: true });
  });
  return stdin;
}

describe("a hook's input", () => {
  it("that was there in time is read, even if the machine lets us look at it too late", async () => {
    const stdin = stdinWith('{"session_id":"s1"}\n');
    await new Promise(setImmediate); // from here, timers come before input
    const read = jsonFrom(stdin, 5);
    for (const until = performance.now() + 50; performance.now() < until; );
    assert.deepEqual(await read, { session_id: "s1" });
  });

  it("that does not come is not waited for", async () => {
    assert.equal(await jsonFrom(stdinWith('{"session_id"'), 5), null);
  });
});
