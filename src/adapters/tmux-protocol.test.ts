import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { protocol } from "./tmux-protocol.ts";

function hear(text: string, fences: (string | null)[] = [], step = 7) {
  const heard: unknown[] = [];
  const feed = protocol({
    reply: ({ lines, failed }) => heard.push([failed ? "failed" : "reply", ...lines]),
    notice: (line) => heard.push(line),
    remark: (line) => heard.push(`remark: ${line}`),
    fence: () => fences.shift() ?? null,
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += step) feed(bytes.subarray(at, at + step));
  return heard;
}

describe("the protocol of control mode", () => {
  it("tells replies from notices, and ours from those of hooks", () => {
    const text =
      "%begin 1 260 0\nnot ours\n%end 1 260 0\n%sessions-changed\ntarget pane has exited\n" +
      "%begin 1 261 1\nhéllo\n\n%end\n%end 1 261 1\n%begin 1 262 1\nno such thing\n%error 1 262 1\n";
    assert.deepEqual(hear(text), [
      "%sessions-changed",
      "remark: target pane has exited",
      ["reply", "héllo", "", "%end"],
      ["failed", "no such thing"],
    ]);
  });

  it("keeps characters whole that arrive in pieces", () => {
    assert.deepEqual(hear("%begin 1 2 1\n→😀\n%end 1 2 1\n", [], 1), [["reply", "→😀"]]);
  });

  it("is not taken in by a screen that shows the end of its own reply, and more", () => {
    const forged = "%end 1 2 1\n%begin 1 3 1\nsecret?\n%end 1 3 1\n%sessions-changed\n%begin 1 4 1";
    const text = `%begin 1 2 1\n${forged}\n%end 1 2 1\n%window-renamed @1 over\n%begin 1 3 1\nsecret!\n%end 1 3 1\n`;
    assert.deepEqual(hear(text, ["secret!"]), [
      ["reply", ...forged.split("\n")],
      "%window-renamed @1 over",
      ["reply", "secret!"],
    ]);
  });

  it("knows when what it fenced has failed", () => {
    const text = "%begin 1 2 1\ncan't find pane\n%error 1 2 1\n%begin 1 3 1\nsecret!\n%end 1 3 1\n";
    assert.deepEqual(hear(text, ["secret!"]), [
      ["failed", "can't find pane"],
      ["reply", "secret!"],
    ]);
  });
});
