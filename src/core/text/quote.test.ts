import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { pieces, quoted } from "./quote.ts";

describe("other people's words within ours", () => {
  it("come back as theirs, whatever they contain", () => {
    const theirs = "  indented\n\n> marked\nIts last message:\n>";
    const text = `What happened\n\n${quoted("It says", theirs)}\n\n${quoted("It printed", "a\r\nb\rc")}`;
    assert.deepEqual(pieces(text), [
      { quoted: false, text: "What happened\n\nIt says:" },
      { quoted: true, text: theirs },
      { quoted: false, text: "It printed:" },
      { quoted: true, text: "a\nb\nc" },
    ]);
  });

  it("are empty if nothing was said", () => assert.equal(quoted("It says", " \n\n"), ""));
});
