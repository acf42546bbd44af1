import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { it } from "vitest";
import { canonical, sha256 } from "./hash.ts";

it("the hash agrees with the machine's SHA-256 for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) =>
      assert.equal(sha256(text), createHash("sha256").update(text, "utf8").digest("hex")),
    ),
  );
});

it("the canonical text of a value is the same, whatever the order of its keys", () => {
  assert.equal(canonical({ b: [1, { d: null, c: "x" }], a: undefined }), '{"b":[1,{"c":"x","d":null}]}');
  assert.equal(canonical({ a: 1, b: 2 }), canonical({ b: 2, a: 1 }));
});
