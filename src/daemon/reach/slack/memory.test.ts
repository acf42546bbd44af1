import assert from "node:assert/strict";
import { it } from "vitest";
import { slackMemory } from "./memory.ts";

const ana = { channel: "D0ANA", ts: "1" };
const ben = { channel: "D0BEN", ts: "2" };

it("keeps apart what each message has of its own", () => {
  const memory = slackMemory();
  memory.recorded("dec-1", ana, { names: ["ana"], url: "http://oj/a/anas" });
  memory.recorded("dec-1", ben, { names: ["ben"], url: "http://oj/a/bens" });
  assert.equal(memory.ownAt("dec-1", ana)?.url, "http://oj/a/anas");
  assert.equal(memory.ownAt("dec-1", ben)?.url, "http://oj/a/bens");
  assert.equal(memory.ownAt("dec-2", ben), null);
  assert.equal(memory.ownAt("dec-1", { ...ben, ts: "3" }), null);
});

it("knows the doubles of a message, in its own channel", () => {
  const memory = slackMemory();
  memory.recorded("dec-1", ana, { names: ["ana"], url: "" });
  assert.equal(memory.adopts("dec-1", ana), false);
  assert.equal(memory.adopts("dec-1", { ...ana, ts: "9" }), true);
  assert.deepEqual(memory.copies("dec-1", "D0ANA"), [{ ...ana, ts: "9" }]);
  assert.deepEqual(memory.copies("dec-1", "D0BEN"), []);
});
