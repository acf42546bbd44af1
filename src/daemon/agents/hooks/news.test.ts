import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Seen } from "../../../agents/client.ts";
import { startUnrecorded } from "./news.ts";

describe("ends of calls that could not be recorded", () => {
  it("are recorded before anything else of that agent, all of them and in order", async () => {
    const lost: string[] = [];
    const written: Seen[] = [];
    const unrecorded = startUnrecorded((id) => void lost.push(id));
    const refuse = () => Promise.reject(new Error("the disk is full"));
    const ends: Seen[] = ["t1", "t2"].map((key) => ({ type: "answered", key, ran: true }));
    for (const it of ends)
      await assert.rejects(unrecorded.inOrder("agt-1", it, true, refuse), /the disk is full/);
    assert.deepEqual(lost, ["agt-1", "agt-1"]);
    const next: Seen = { type: "stopped", last_message: "Done." };
    await unrecorded.inOrder("agt-1", next, true, async (it) => void written.push(it));
    assert.deepEqual(written, [...ends, next]);
  });
});
