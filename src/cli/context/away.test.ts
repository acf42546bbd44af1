import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Refusal } from "../../core/model/errors.ts";
import { isAway, oncePresent } from "./away.ts";

const lost = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
const gone = new Refusal("server.unreachable", "…", null);

describe("a server that is away", () => {
  it("is told from one that says no", () => {
    const away = [
      lost,
      gone,
      new Refusal("daemon.unreachable", "…", null),
      new Refusal("daemon.stopping", "…", null),
    ];
    for (const it of away) assert.ok(isAway(it), String(it));
    const refused = [new Refusal("login.required", "…", null), new Refusal("daemon.failed", "…", null)];
    for (const it of [...refused, new Error("a bug")]) assert.ok(!isAway(it), String(it));
  });

  it("is asked again, more slowly each time, and not for ever", async () => {
    const waited: number[] = [];
    const pause = async (seconds: number) => void waited.push(seconds);
    const answers = [gone, lost, "there"];
    const call = async () => {
      const next = answers.shift();
      if (typeof next === "string") return next;
      throw next;
    };
    assert.equal(await oncePresent(call, pause), "there");
    assert.deepEqual(waited.splice(0), [1, 2]);
    await assert.rejects(() => oncePresent(() => Promise.reject(gone), pause), gone);
    assert.deepEqual(waited.splice(0), [1, 2, 4, 8, 16]);
    const no = new Refusal("login.required", "…", null);
    await assert.rejects(() => oncePresent(() => Promise.reject(no), pause), no);
    assert.deepEqual(waited, []);
  });
});
