import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Document, Schema } from "../fakes/openapi.ts";
import { comparison } from "../fakes/openapi.ts";

const text: Schema = { type: "string" };
const thing: Schema = {
  type: "object",
  properties: { id: text, note: { type: ["string", "null"] }, size: { type: "number" } },
  required: ["id", "note"],
};
const document: Document = {
  paths: {},
  components: {
    schemas: {
      Thing: thing,
      Larger: {
        allOf: [
          { $ref: "#/components/schemas/Thing" },
          { type: "object", properties: { more: text }, required: ["more"] },
        ],
      },
    },
  },
};
const Thing: Schema = { $ref: "#/components/schemas/Thing" };
const Larger: Schema = { $ref: "#/components/schemas/Larger" };
const problems = (value: unknown, schema: Schema) => comparison(document).problems(value, schema, "it");
const sound = { id: "a", note: null };

describe("a comparison with /openapi.json", () => {
  it("finds nothing where all is as described", () => {
    assert.deepEqual(problems({ ...sound, size: 1.5 }, Thing), []);
    assert.deepEqual(problems([sound, sound], { type: "array", items: Thing }), []);
    assert.deepEqual(problems({ ...sound, more: "b" }, Larger), []);
    assert.deepEqual(problems({ ...sound, more: "b" }, { anyOf: [Thing, Larger] }), []);
    assert.deepEqual(problems(null, { oneOf: [Thing, { type: "null" }] }), []);
    assert.deepEqual(problems({ any: { thing: 1 } }, { type: "object", additionalProperties: {} }), []);
  });

  it("finds a field that is sent and not described, however deep, and in whichever shape", () => {
    const extra = { ...sound, extra: 1 };
    const said = ["it[].extra is sent and not described"];
    assert.deepEqual(problems([sound, extra], { type: "array", items: Thing }), said);
    assert.deepEqual(problems({ a: extra }, { type: "object", properties: { a: Larger } }).length, 2);
    assert.deepEqual(problems(extra, { anyOf: [Thing, { type: "null" }] }).length, 1);
    assert.deepEqual(problems({ a: extra }, { type: "object", additionalProperties: Thing }), [
      "it.*.extra is sent and not described",
    ]);
  });

  it("finds what is not sent, and what is of another type", () => {
    assert.deepEqual(problems({ id: "a" }, Thing), ["it.note is described and not sent"]);
    assert.deepEqual(problems({ ...sound, size: "1" }, Thing), ["it.size is string, described as number"]);
    assert.deepEqual(problems("c", { type: "string", enum: ["a", "b"] }), [
      'it is "c", which is not described',
    ]);
  });

  it("names the fields that nothing had", () => {
    const { problems, neverSeen } = comparison(document);
    problems([sound], { type: "array", items: Thing }, "it");
    assert.deepEqual(neverSeen(), ["it[].size"]);
    problems({ ...sound, size: 1 }, Thing, "it");
    assert.deepEqual(neverSeen(), []);
  });
});
