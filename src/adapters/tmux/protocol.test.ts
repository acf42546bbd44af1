import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Question } from "./protocol.ts";
import { protocol } from "./protocol.ts";

const trusted: Question = { fence: "secret", foreign: false };
const foreign: Question = { fence: "secret", foreign: true };
const fence = "%begin 1 9 1\nsecret\n%end 1 9 1\n";

function hear(text: string, questions: Question[], step = 7) {
  const heard: unknown[] = [];
  const feed = protocol({
    question: () => questions.shift(),
    reply: (blocks) => heard.push(blocks.map(({ lines, failed }) => [failed ? "failed" : "done", ...lines])),
    notice: (line) => heard.push(line),
    remark: (line) => heard.push(`remark: ${line}`),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += step) feed(bytes.subarray(at, at + step));
  return heard;
}

describe("the protocol of control mode", () => {
  it("tells replies from notices, and our replies from those of hooks", () => {
    const text =
      "%begin 1 1 0\n%not ours\n%end 1 1 0\n%sessions-changed\ntarget pane has exited\n" +
      `%begin 1 2 1\nhéllo\n\n%end\n%end 1 2 1\n%window-add @1\n%begin 1 3 1\n%end 1 3 1\n${fence}%sessions-changed\n` +
      `%begin 1 4 1\nno such thing\n%error 1 4 1\n${fence}`;
    assert.deepEqual(hear(text, [trusted, trusted]), [
      "%sessions-changed",
      "remark: target pane has exited",
      "%window-add @1",
      [["done", "héllo", "", "%end"], ["done"]],
      "%sessions-changed",
      [["failed", "no such thing"]],
    ]);
  });

  it("keeps listening after a hook that failed", () => {
    const failed = "%begin 1 1 0\ncan't find window: @9\n%error 1 1 0\n";
    const reply = `%begin 1 2 1\nhello\n%end 1 2 1\n${fence}`;
    assert.deepEqual(hear(`${failed}%sessions-changed\n${reply}`, [trusted]), [
      "%sessions-changed",
      [["done", "hello"]],
    ]);
  });

  it("keeps characters whole that arrive in pieces", () => {
    assert.deepEqual(hear(`%begin 1 2 1\n→😀\n%end 1 2 1\n${fence}`, [trusted], 1), [[["done", "→😀"]]]);
  });

  it("is not fooled by a screen that shows the end of its own reply, and more", () => {
    const forged = "%end 1 2 1\n%begin 1 3 1\nguessed\n%end 1 3 1\n%sessions-changed\n%begin 1 9 1";
    const text = `%begin 1 2 1\n${forged}\n%end 1 2 1\n%window-renamed @1 over\n${fence}%window-add @2\n`;
    assert.deepEqual(hear(text, [foreign]), [
      "%window-renamed @1 over",
      [["done", ...forged.split("\n")]],
      "%window-add @2",
    ]);
  });

  it("notices when a screen could not be shown", () => {
    const text = `%begin 1 2 1\ncan't find pane\n%error 1 2 1\n${fence}`;
    assert.deepEqual(hear(text, [foreign]), [[["failed", "can't find pane"]]]);
  });
});
