import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { namedOf } from "./named-args.ts";

describe("values by name", () => {
  it("are split at the first equals sign", () =>
    assert.deepEqual(namedOf(["a=b=c", "d="]), { a: "b=c", d: "" }));
  it("need a name", () => assert.throws(() => namedOf(["=x"]), { code: "usage" }));
  it("need an equals sign", () => assert.throws(() => namedOf(["x"]), { code: "usage" }));
  it("may not be given twice", () => assert.throws(() => namedOf(["x=1", "x=2"]), { code: "usage" }));
});
