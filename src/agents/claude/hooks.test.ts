import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readHook } from "./hooks.ts";

describe("a subagent that stops", () => {
  const ends = {
    session_id: "s",
    transcript_path: "/t.jsonl",
    error: "overloaded",
    last_assistant_message: "",
  };
  for (const hook_event_name of ["Stop", "StopFailure"])
    it(`says nothing about the agent itself: ${hook_event_name}`, () => {
      const own = readHook({ ...ends, hook_event_name });
      assert.equal(own.seen.length, 1);
      const { seen, turn } = readHook({ ...ends, hook_event_name, agent_id: "a1" });
      assert.deepEqual([seen, turn], [[], null]);
    });
});
