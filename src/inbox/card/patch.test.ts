import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { about, action, code } from "../../../test/fakes/cards.ts";

const cardOf = (tool: string, input: object) =>
  about({ source: "approval", action: { ...action(input), tool } }).matter;
const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** Delete File: b.txt\n*** End Patch\n";
const compared = (path: string, ...lines: string[]) =>
  [`Index: ${path}`, "=".repeat(67), `--- ${path}`, `+++ ${path}`, ...lines, ""].join("\n");
const changed = [
  { kind: "removed", text: "one" },
  { kind: "added", text: "two" },
];

describe("a patch on a card", () => {
  it("is a diff of each file, with everything else that was said", () => {
    assert.deepEqual(cardOf("apply_patch", { command: patch, description: "May I?" }), [
      { type: "ours", text: "A new file:" },
      { type: "diff", path: "a.txt", lines: [{ kind: "added", text: "one" }] },
      { type: "printed", label: "Deleted", text: "b.txt" },
      code("description", "May I?"),
    ]);
    const moved = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n-one\n+two\n*** End Patch";
    assert.deepEqual(cardOf("apply_patch", { command: moved }), [
      { type: "diff", path: "a", lines: changed },
      { type: "printed", label: "Moved to", text: "b" },
    ]);
  });

  it("is shown as it is if a line of it could not be seen otherwise, or if a shell would run it", () => {
    const odd = patch.replace("+one", "one");
    assert.deepEqual(cardOf("apply_patch", { command: odd }), [code(null, odd, "shell")]);
    assert.deepEqual(cardOf("Bash", { command: patch }), [code(null, patch, "shell")]);
  });

  it("may be the client's own comparison of the files", () => {
    const one = compared("/shop/a", "@@ -1,1 +1,1 @@", "-one", "+two");
    const shown = { type: "diff", path: "/shop/a", lines: changed };
    assert.deepEqual(cardOf("edit", { file_path: "/shop/a", diff: one }), [shown]);
    assert.deepEqual(cardOf("edit", { file_path: "/shop/b", diff: one }), [shown, code("file", "/shop/b")]);
    const two = one + compared("/shop/b", "@@ -1,1 +1,1 @@", "-one", "+two");
    assert.deepEqual(cardOf("edit", { diff: two }), [shown, { ...shown, path: "/shop/b" }]);
    for (const odd of [
      compared("/shop/a", "@@ -1,1 +1,1 @@", "hidden", "+two"),
      compared("/shop/a", "@@ -1,1 +1,1 @@ hidden", "+two"),
      `hidden\n${one}`,
      compared("/shop/a", "hidden"),
    ])
      assert.deepEqual(cardOf("edit", { diff: odd }), [code("diff", odd)]);
  });
});
