import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { commandLine, isKey, pasteable, programArguments, quote } from "./text.ts";

describe("a command for tmux", () => {
  it("has no value that could become syntax", () => {
    assert.equal(
      quote('a "b" $c ~ ; {d}\n\\é😀'),
      '"a \\042b\\042 \\044c \\176 \\073 \\173d\\175\\012\\134é😀"',
    );
    assert.equal(commandLine([["a", "b;c"], ["d"]]), '"a" "b\\073c" ; "d"');
    assert.throws(() => quote("a\0b"), /NUL/);
  });

  it("names keys that tmux knows", () => {
    const known = ["Enter", "Down", "1", "C-u", "M-x", "C-M-Left", "é", "-", ";", "F12", "BTab", "S-Up"];
    assert.deepEqual(
      known.filter((it) => !isKey(it)),
      [],
    );
    const unknown = ["", "Entr", "enter", "ab", "C-", "F13", "S-Tab", "\n", "Enter\n", "\u001b"];
    assert.deepEqual(unknown.filter(isKey), []);
  });

  it("pastes no text that contains the end of its own paste", () => {
    assert.equal(pasteable("a\x1b[201~b\x1b\x1b[201~c\u009b201~d"), "a[201~b[201~c201~d");
    assert.equal(pasteable("\x1b[31mred\x1b[0m"), "\x1b[31mred\x1b[0m");
    const pieces = fc.constantFrom("\x1b", "\u009b", "[", "201~", "2", "01~", "a");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the end of a paste
        assert.doesNotMatch(pasteable(parts.join("")), /\x1b\[201~|\u009b201~/);
      }),
      { numRuns: 2000 },
    );
  });

  it("starts a program with the given environment, except what its terminal sets itself", () => {
    const env = { A: "1", TERM: "xterm", PWD: "/x", SHELL: "/bin/zsh", TMUX: "/tmp/other", PATH: "/bin" };
    assert.equal(
      programArguments(["prog", "-x"], env).join(" "),
      "-e A=1 -e PATH=/bin -- /usr/bin/env -u TMUX -u TMUX_PANE -u TERM_PROGRAM -u TERM_PROGRAM_VERSION SHELL=/bin/zsh prog -x",
    );
  });

  it("is refused if the program can't be started", () => {
    assert.throws(() => programArguments([], {}), /no program/);
    assert.throws(() => programArguments(["/a=b/c"], {}), /"="/);
    assert.throws(() => programArguments(["a", "x".repeat(200_000)], {}), /128 KB/);
    assert.throws(() => programArguments(["a", ...Array(10).fill("x".repeat(120_000))], {}), /900 KB/);
  });
});
