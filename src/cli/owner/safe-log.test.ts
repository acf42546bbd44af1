import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { safely } from "./safe-log.ts";

describe("a job's output on a terminal", () => {
  const shown = (...parts: string[]) => {
    const texts: string[] = [];
    const { text, end } = safely((it) => texts.push(`${it}\n`));
    for (const part of parts) text(part);
    end();
    return texts.join("");
  };

  it("comes in whole lines, however it arrives", () => assert.equal(shown("a", "b\nc", "\n"), "ab\nc\n"));
  it("ends its last line", () => assert.equal(shown("a\nb"), "a\nb\n"));
  it("loses the colours of programs, even if a sequence arrives in two parts", () =>
    assert.equal(shown("\u001b[3", "2mok\u001b[0m\n"), "ok\n"));
  it("shows what a terminal would obey", () => assert.equal(shown("a\u001b[2Jb\n"), "a␛[2Jb\n"));
});
