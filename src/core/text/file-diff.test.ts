import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { FileChange } from "./file-diff.ts";
import { diffOf } from "./file-diff.ts";

const becomes = (text: string): FileChange => ({
  path: "a.ts",
  after: () => ({ text }),
  parts: [{ before: "", after: text }],
});

describe("what a call would do to a file", () => {
  it("is a diff of the file as it is now", () => {
    assert.deepEqual(diffOf(becomes("1\n2\n"), { text: "1\n" }), {
      path: "a.ts",
      text: "@@ -1,1 +1,2 @@\n 1\n+2",
      is_new: false,
      cut: 0,
      unread: null,
    });
  });

  it("is a new file if there is none, and nothing if nothing would change", () => {
    const made = diffOf(becomes("1\n"), { text: null });
    assert.deepEqual([made.is_new, made.text], [true, "@@ -0,0 +1,1 @@\n+1"]);
    const same = diffOf(becomes("1\n"), { text: "1\n" });
    assert.deepEqual([same.is_new, same.text], [false, ""]);
  });

  it("does not count another kind of line ends as a change", () => {
    assert.equal(diffOf(becomes("1\n3\n"), { text: "1\r\n2\r\n" }).text, "@@ -1,2 +1,2 @@\n 1\n-2\n+3");
  });

  it("is what the call says about itself if the file was not read or does not fit, and says so", () => {
    const unread = diffOf(becomes("1\n"), { unread: "the file is too large" });
    assert.deepEqual(
      [unread.text, unread.unread, unread.is_new],
      ["@@ -0,0 +1,1 @@\n+1", "the file is too large", false],
    );
    const parts = [{ before: "a = 1", after: "a = 2" }];
    const misfit: FileChange = { path: "a.ts", parts, after: () => ({ misfit: "it is not there" }) };
    const { text, unread: why } = diffOf(misfit, { text: "2\n" });
    assert.deepEqual([text, why], ["@@ -1,1 +1,1 @@\n-a = 1\n+a = 2", "it is not there"]);
  });

  it("is cut where it gets too long, and says by how many lines", () => {
    const { text, cut } = diffOf(becomes("0123456789\n".repeat(10_000)), { text: null });
    assert.ok(text.length <= 64 * 1024);
    assert.equal(text.split("\n").length - 1 + cut, 10_000);
    const line = diffOf(becomes("x".repeat(100_000)), { text: null });
    assert.deepEqual([line.text, line.cut], ["@@ -0,0 +1,1 @@", 2]);
  });
});
