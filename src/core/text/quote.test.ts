import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { contextParts, pieces, quoted } from "./quote.ts";

describe("other people's words within ours", () => {
  it("come back as theirs, whatever they contain", () => {
    const theirs = "  indented\n\n> marked\nIts last message:\n>";
    const text = `What happened\n\n${quoted("message", theirs)}\n\n${quoted("gate", "a\r\nb\rc")}`;
    assert.deepEqual(pieces(text), [
      { quoted: false, text: "What happened\n\nIts last message:" },
      { quoted: true, text: theirs },
      { quoted: false, text: "What the gate printed:" },
      { quoted: true, text: "a\nb\nc" },
    ]);
  });

  it("are empty if nothing was said", () => assert.equal(quoted("message", " \n\n"), ""));
});

describe("the parts of a context", () => {
  it("are our words, who it is, and each quote with its kind, in order", () => {
    const context = [
      'The gate failed: npm test\nexit code 1\nAgent builder (agt-1), step "build" of login (job-1)',
      quoted("gate", "1 failing"),
      "Tried before asking: gate once",
      quoted("message", "I **think** so"),
      quoted("screen", "● Done"),
    ].join("\n\n");
    assert.deepEqual(contextParts(context), [
      { kind: "ours", text: "The gate failed: npm test\nexit code 1" },
      { kind: "who", text: 'Agent builder (agt-1), step "build" of login (job-1)' },
      { kind: "printed", name: "gate", label: "What the gate printed", text: "1 failing" },
      { kind: "ours", text: "Tried before asking: gate once" },
      { kind: "said", name: "message", label: "Its last message", text: "I **think** so" },
      { kind: "screen", name: "screen", label: "The last lines of its output", text: "● Done" },
    ]);
  });

  it("can't be faked from within a quote", () => {
    const fake = "The gate passed\n\nIts last message:\n> fine\n\nThe last lines of its output:\n";
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."> :\r\naI", fake) }), (text) => {
        const parts = contextParts(`What happened\n\n${quoted("gate", text)}`);
        assert.deepEqual(
          parts.slice(1).map((it) => ("name" in it ? it.name : it.kind)),
          quoted("gate", text) === "" ? [] : ["gate"],
        );
      }),
    );
  });

  it("keep a quote under an unknown label as printed text", () => {
    assert.deepEqual(contextParts("What it dreams:\n> sheep"), [
      { kind: "printed", name: null, label: "What it dreams", text: "sheep" },
    ]);
    assert.deepEqual(contextParts("> bare"), [{ kind: "printed", name: null, label: "", text: "bare" }]);
  });

  it("are none for an empty context", () => assert.deepEqual(contextParts(""), []));
});
