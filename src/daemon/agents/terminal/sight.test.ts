/** What is typed goes onto a dialog or a composer as it was recorded, and onto nothing else. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { screens } from "../../../../test/fakes/codex/recorded.ts";
import { sightPatterns } from "../../../adapters/tmux/sight.ts";
import { claudeCode } from "../../../agents/claude/client.ts";
import { codex } from "../../../agents/codex/client.ts";

const FOLDER = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const recorded = fs.readdirSync(FOLDER).filter((it) => it.endsWith(".txt"));
const SCREENS = [
  ...recorded.map((name) => [name, claudeCode, fs.readFileSync(path.join(FOLDER, name), "utf8")] as const),
  ...Object.entries(screens).map(([name, screen]) => [`codex ${name}`, codex, screen] as const),
];

describe("a recorded screen", () => {
  it.each(SCREENS)(
    "can be recognized by its lines and by the marks of its dialogs: %s",
    (_, client, screen) => {
      const look = client.look(screen);
      const marks = client.dialogMarks.filter((it) => screen.includes(it));
      if (look.state !== "dialog") return assert.deepEqual(look.state === "unknown" ? [] : marks, []);
      assert.notDeepEqual(marks, []);
      const lines = screen.split("\n").map((it) => it.trimEnd());
      const { shows } = sightPatterns({ shows: look.body, lacks: [] });
      assert.ok(shows.length > 0, "it has lines that tell what it is about");
      for (const pattern of shows)
        assert.ok(
          lines.some((it) => new RegExp(pattern).test(it)),
          pattern,
        );
    },
  );
});
