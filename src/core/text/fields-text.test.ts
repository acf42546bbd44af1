import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fieldsText } from "./fields-text.ts";

describe("the fields of a context", () => {
  it("read as a list", () =>
    assert.equal(
      fieldsText({ options: ["a", "b"], why: "one\ntwo", cost: 3 }),
      "options:\n  - a\n  - b\nwhy:\n  one\n  two\ncost: 3",
    ));
});
