import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readPatch } from "./read-patch.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("a patch", () => {
  it("is read file by file, with every line of it", () => {
    const text = patch(
      "*** Add File: new.txt",
      "+one",
      "+",
      "*** Update File: a.ts",
      "*** Move to: b.ts",
      "@@ function f()",
      " kept",
      "-old",
      "+new",
      "*** End of File",
      "*** Delete File: gone.txt",
    );
    assert.deepEqual(readPatch(`${text}\n`), [
      {
        what: "added",
        path: "new.txt",
        moved_to: null,
        lines: [
          { kind: "added", text: "one" },
          { kind: "added", text: "" },
        ],
      },
      {
        what: "changed",
        path: "a.ts",
        moved_to: "b.ts",
        lines: [
          { kind: "kept", text: "@@ function f()" },
          { kind: "kept", text: "kept" },
          { kind: "removed", text: "old" },
          { kind: "added", text: "new" },
          { kind: "kept", text: "*** End of File" },
        ],
      },
      { what: "deleted", path: "gone.txt", moved_to: null, lines: [] },
    ]);
    assert.deepEqual(readPatch(text.replaceAll("\n", "\r\n")), readPatch(text));
  });

  it("is none if it says anything else: then all of it is shown as it is", () => {
    const bad = [
      "",
      "rm -rf /",
      patch(),
      patch("+one"),
      patch("*** Add File: a", "one"),
      patch("*** Add File: a", " one"),
      patch("*** Delete File: a", "-one"),
      patch("*** Update File: a", "hidden"),
      patch("*** Update File: a", "-x", "*** Move to: b"),
      patch("*** Update File: a", "*** Move to: b", "*** Move to: c"),
      patch("*** Rename File: a"),
      patch("*** Add File: "),
      `${patch("*** Add File: a", "+x")}\nrm -rf /`,
      `cd x && ${patch("*** Add File: a", "+x")}`,
    ];
    for (const text of bad) assert.equal(readPatch(text), null, text);
  });
});
