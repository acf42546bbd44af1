import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { withoutComposer, withoutDialog, withoutRows } from "./own-dialog.ts";

const SCREENS = path.join(import.meta.dirname, "../../../test/fixtures/claude-screens");
const dialogs = readdirSync(SCREENS).filter((it) => /^(approval|question|plan)/.test(it));

describe("a screen without the field to write in", () => {
  const rule = "─".repeat(20);

  it("ends with what the agent did", () => {
    const screen = `● Installing.\n\n${rule}\n❯ \n${rule}\n  ? for shortcuts\n`;
    assert.equal(withoutComposer(screen), "● Installing.");
  });

  it("keeps what somebody had typed, and what only looks like a field", () => {
    for (const screen of [
      `● Hm.\n${rule}\n❯ git push\n${rule}\n`,
      `❯ \nkilled`,
      `${rule}\n❯ \n${rule}\n${"line\n".repeat(9)}`,
    ])
      assert.equal(withoutComposer(screen), screen);
  });
});

describe("a screen without the agent's own dialog", () => {
  for (const file of dialogs)
    it(`has no rows of ${file}`, () => {
      const screen = readFileSync(path.join(SCREENS, file), "utf8");
      for (const text of [withoutDialog(screen), withoutRows(screen)])
        assert.doesNotMatch(text, /❯ *\d\.|Esc to cancel|Submit answers|Type something/);
    });

  it("keeps what the agent said above it", () => {
    const screen = readFileSync(path.join(SCREENS, "approval-bash.txt"), "utf8");
    assert.match(withoutDialog(screen), /● A test\n {2}⎿ {2}\$ touch made$/);
    assert.doesNotMatch(withoutDialog(screen), /Bash command/);
  });

  it("keeps what a dialog asks about where only its rows are left out", () => {
    const screen = readFileSync(path.join(SCREENS, "approval-bash.txt"), "utf8");
    assert.match(withoutRows(screen), / touch made\n.*\n Do you want to proceed\?$/);
  });

  it("stays as it is if there is no dialog: a numbered list is none", () => {
    const screen = "Steps:\n 1. Build\n 2. Test\n❯ ";
    assert.equal(withoutDialog(screen), screen);
    assert.equal(withoutRows(screen), screen);
  });
});
