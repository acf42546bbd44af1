import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { mayBeUnsafe, mendJson, mendText, unsafeIn, unsafeWithin } from "./safe-text.ts";

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\0", "\ud800", "\udfff", "\\", "u0000", "😀"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});
const anyJson = fc.jsonValue({ stringUnit: "binary" });

describe("a safe text", () => {
  it("has no NUL and no half character", () => {
    assert.equal(unsafeIn("a 😀 \u001b[31m\u202e\uFFFD"), null);
    assert.match(unsafeIn("a\0b") ?? "", /NUL/);
    assert.match(unsafeIn("a\ud83d") ?? "", /half a character/);
    assert.match(unsafeIn("\ude00a") ?? "", /half a character/);
  });

  it("is what any text becomes when it is repaired, and a safe one stays as it is", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const mended = mendText(text);
        assert.equal(unsafeIn(mended), null);
        assert.equal(mended.length, text.length);
        if (unsafeIn(text) === null) assert.equal(mended, text);
      }),
    );
  });

  it("is what every text in a JSON document becomes when the document is repaired", () => {
    const texts = fc.oneof(
      anyText.map((it) => ({ [it]: [it] })),
      anyJson,
    );
    fc.assert(
      fc.property(texts, (value) => {
        const json = JSON.stringify(value);
        const mended = JSON.parse(mendJson(json)) as unknown;
        assert.equal(unsafeWithin(mended), null);
        if (unsafeWithin(value) === null) assert.deepEqual(mended, JSON.parse(json));
        else assert.ok(mayBeUnsafe(json));
      }),
    );
  });

  it("that is unsafe in a document is reported with its place", () => {
    assert.deepEqual(unsafeWithin({ a: [{ b: "x" }, { b: "\0" }] })?.path, "a.1.b");
    assert.match(unsafeWithin({ a: { "k\0": 1 } })?.what ?? "", /key.*NUL/);
  });

  it("is checked for at any depth", () => {
    const deep = JSON.parse(`${"[".repeat(200_000)}"\\u0000"${"]".repeat(200_000)}`) as unknown;
    assert.match(unsafeWithin(deep)?.what ?? "", /NUL/);
  });
});
