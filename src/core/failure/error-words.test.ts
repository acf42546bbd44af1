import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { errorWords, kindWords, withoutKind } from "./error-words.ts";

const api = (type: string, message?: string) =>
  JSON.stringify({ type: "error", error: { type, message }, request_id: "req_011" });

describe("an error message in words", () => {
  for (const [name, message, words] of [
    ["of an API", `API Error: 429 ${api("rate_limit_error", "Slow down.")}`, "API Error: 429 Slow down."],
    ["without a message", `API Error: 529 ${api("overloaded_error")}`, "API Error: 529 overloaded error"],
    ["that is JSON alone", '{"error":"No such model"}', "No such model"],
    ["followed by words", '400 {"detail":"Bad tool"} · try again', "400 Bad tool · try again"],
    ["in a list", '[{"message":"First"},{"message":"Second"}]', "First"],
    ["with JSON in its JSON", JSON.stringify({ message: api("x", "Inside") }), "Inside"],
    [
      "that was cut off",
      '500 {"type":"error","error":{"type":"api_error","message":"Internal ser',
      "500 Internal ser",
    ],
    ["cut off before its message", '500 {"type":"error","error":{"type":"api_error","mess', "500 api error"],
    ["with a code alone", '{"code":17}', "17"],
    ["without JSON", "Unexpected token } in a {b}", "Unexpected token } in a {b}"],
    ["that says nothing", "{}", "{}"],
  ] as const)
    it(name, () => assert.equal(errorWords(message), words));

  it("never fails, and never grows", () => {
    const piece = fc.constantFrom(...'{["}],: ', '"message":', '"x"', '"error":', "null", "__proto__");
    fc.assert(
      fc.property(
        fc.string({ unit: piece, maxLength: 40 }),
        (text) => errorWords(text).length <= text.length,
      ),
    );
    fc.assert(fc.property(fc.json(), (text) => typeof errorWords(`Error: ${text}`) === "string"));
  });

  it("names its kind as people write it", () => assert.equal(kindWords("out_of_credits"), "Out of credits"));

  it("says its kind once", () => {
    assert.equal(withoutKind("Rejected (429) · Rate limited", "Rate limited"), "Rejected (429)");
    assert.equal(withoutKind("Rate limited", "Rate limited"), "Rate limited");
    assert.equal(withoutKind("Rejected · try again", "Rate limited"), "Rejected · try again");
  });
});
