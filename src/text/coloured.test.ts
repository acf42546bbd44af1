import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { coloured } from "./coloured.ts";

/** "word:git flag:-m", without what is plain. */
function kinds(language: string, text: string): string {
  return coloured(language, text)
    .filter((it) => it.kind !== "plain")
    .map((it) => `${it.kind}:${it.text}`)
    .join(" ");
}

describe("coloured", () => {
  it("tells a shell line's commands, flags, strings, variables and operators apart", () => {
    assert.equal(
      kinds("shell", `git commit -m "a b" && echo $HOME | tee --append 'log file' # keep`),
      `word:git flag:-m string:"a b" operator:&& word:echo variable:$HOME operator:| word:tee flag:--append string:'log file' comment:# keep`,
    );
    assert.equal(kinds("shell", "make\nmake test"), "word:make word:make");
    assert.equal(kinds("shell", "ls > out.txt"), "word:ls operator:>");
    assert.equal(kinds("shell", 'echo "never closed'), "word:echo");
    assert.equal(kinds("shell", "curl a.b/c#d"), "word:curl");
  });

  it("tells JSON's names and values apart", () => {
    assert.equal(
      kinds("json", `{ "a": "b", "n": -1.5, "ok": true, "no": null }`),
      `name:"a" string:"b" name:"n" variable:-1.5 name:"ok" variable:true name:"no" variable:null`,
    );
  });

  it("leaves other text as it is", () => {
    assert.deepEqual(coloured("text", "git -m"), [{ kind: "plain", text: "git -m" }]);
  });

  it("adds and drops nothing, whatever the text", () => {
    const hostile = fc.string({ unit: fc.constantFrom(..."ab \n\\'\"$#{}()|&;<>-=:,1") });
    fc.assert(
      fc.property(fc.constantFrom("shell", "json"), fc.oneof(hostile, fc.string()), (language, text) => {
        assert.equal(
          coloured(language, text)
            .map((it) => it.text)
            .join(""),
          text,
        );
      }),
    );
  });
});
