import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, it } from "vitest";
import type { Drawn } from "../../../../test/claude/calls.ts";
import { DRAWN } from "../../../../test/claude/calls.ts";
import { claudeCode } from "../client.ts";

const { shows } = claudeCode;
const drawn = JSON.parse(fs.readFileSync(DRAWN, "utf8")) as Drawn[];
const cut = (screen: string, rows: number) => screen.split("\n").slice(-rows).join("\n");

describe("a permission that the real Claude Code asks for", () => {
  it.each([50, 24, 16, 14])(
    "is recognized by its dialog in %i rows, and never confused with another",
    (rows) => {
      for (const { prompt } of drawn)
        for (const other of drawn) {
          const screen = cut(other.screen, rows);
          assert.equal(
            shows(prompt, screen),
            prompt === other.prompt,
            `${JSON.stringify(prompt.input)} on\n${screen}`,
          );
        }
    },
  );

  it("may be larger than any screen", () => {
    const drawnEnd = drawn.find((it) =>
      String((it.prompt.input as { command?: string }).command).startsWith("cat"),
    );
    assert.ok(drawnEnd);
    const { prompt, screen } = drawnEnd;
    const { command } = prompt.input as { command: string };
    const huge = { ...prompt, input: { command: `${"echo one\n".repeat(300_000)}${command}` } };
    const end = cut(screen, 13);
    assert.match(end, /^ │ one/m);
    assert.deepEqual([shows(huge, end), shows(huge, screen)], [true, false]);
  });

  it("is not confused with a call that begins or ends the same way", () => {
    const [push] = drawn;
    assert.ok(push);
    const shown = (command: string) => shows({ ...push.prompt, input: { command } }, push.screen);
    assert.ok(shown("git push") && shown(" git  push\n"));
    for (const it of ["git pus", "it push", "gitpush", "git push .", "sudo git push", "git push\n\nx", ""])
      assert.ok(!shown(it), it);
  });
});
