import assert from "node:assert/strict";
import { it } from "vitest";
import { askedOnce } from "./callers.ts";

it("a user name that the system could not look up is asked for again, and then kept", () => {
  let descriptors = 0;
  const name = askedOnce(() => {
    if (descriptors === 0) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    return "ana";
  });
  assert.match(name(), /^user \d+$/);
  descriptors = 1;
  assert.equal(name(), "ana");
  descriptors = 0;
  assert.equal(name(), "ana");
});
