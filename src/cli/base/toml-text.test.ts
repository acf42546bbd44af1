import assert from "node:assert/strict";
import { parse } from "smol-toml";
import { describe, it } from "vitest";
import { withSetting } from "./toml-text.ts";

const set = (text: string, value = "true") => withSetting(text, "notices", "quiet", value);

describe("a setting in a file", () => {
  it("is added where it belongs, and everything else stays", () => {
    const cases: [string, string][] = [
      ["", "[notices]\nquiet = true\n"],
      ["# mine\n", "# mine\n\n[notices]\nquiet = true\n"],
      ["[log]\nlevel = 'warn'", "[log]\nlevel = 'warn'\n\n[notices]\nquiet = true\n"],
      ["[notices] # rings\n\n[log]\nkeep = 3\n", "[notices] # rings\nquiet = true\n\n[log]\nkeep = 3\n"],
      ["[log]\r\nkeep = 3\r\n", "[log]\r\nkeep = 3\r\n\r\n[notices]\r\nquiet = true\r\n"],
    ];
    for (const [before, after] of cases) {
      assert.equal(set(before), after);
      assert.equal(set(after), after, "a second time changes nothing");
      assert.equal((parse(after) as { notices: { quiet: boolean } }).notices.quiet, true);
    }
  });

  it("is changed in place, with its comment", () => {
    const cases: [string, string][] = [
      ["[notices]\nquiet = true\n", "[notices]\nquiet = false\n"],
      ["[ notices ]\n  quiet=true # at work\n", "[ notices ]\n  quiet=false # at work\n"],
      ["notices.quiet = true\n[log]\nkeep = 3\n", "notices.quiet = false\n[log]\nkeep = 3\n"],
      ["[log]\nquiet = 1\n[notices]\nquiet = true\n", "[log]\nquiet = 1\n[notices]\nquiet = false\n"],
    ];
    for (const [before, after] of cases) assert.equal(set(before, "false"), after);
  });
});
