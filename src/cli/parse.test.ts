import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Flags } from "./command.ts";
import { checkArgs, readFlags, readWords, wantsJson } from "./parse.ts";
import { isCommand, isGroup } from "./registry.ts";

const words = (...argv: string[]) => readWords(argv, isCommand, isGroup);

describe("the command's words", () => {
  it("may be two", () =>
    assert.deepEqual(words("decision", "show", "x"), { name: "decision show", rest: ["x"] }));
  it("may be one", () => assert.deepEqual(words("status", "--watch"), { name: "status", rest: ["--watch"] }));
  it("may be another name", () => assert.deepEqual(words("decisions"), { name: "decisions", rest: [] }));
  it("may be a group only", () => assert.deepEqual(words("decision"), { name: "decision", rest: [] }));
  it("may have flags before and between them", () =>
    assert.deepEqual(words("-o", "json", "decision", "--project", "shop", "list", "--all"), {
      name: "decision list",
      rest: ["-o", "json", "--project", "shop", "--all"],
    }));
  it("take a flag's value for what it is", () =>
    assert.deepEqual(words("--project", "decision", "status"), {
      name: "status",
      rest: ["--project", "decision"],
    }));
  it("end at the first that names nothing", () =>
    assert.deepEqual(words("decision", "lst", "x"), { name: "decision", rest: ["lst", "x"] }));
});

const flags = {
  message: { type: "string", short: "m", help: "" },
  follow: { type: "boolean", short: "f", help: "" },
  lines: { type: "string", short: "n", help: "" },
  option: { type: "string", multiple: true, help: "" },
} as const satisfies Flags;

const read = (...argv: string[]) => readFlags(argv, { name: "job logs", flags });

describe("flags", () => {
  it("may stand anywhere", () =>
    assert.deepEqual(read("a", "-f", "b", "--message", "hi"), {
      args: ["a", "b"],
      flags: { follow: true, message: "hi" },
    }));
  it("take a value behind an equals sign", () =>
    assert.deepEqual(read("--message=a=b").flags, { message: "a=b" }));
  it("take an empty value", () =>
    assert.deepEqual(read("--message=", "-n", "").flags, { message: "", lines: "" }));
  it("take a value that looks like a flag", () => {
    assert.deepEqual(read("-m", "-x").flags, { message: "-x" });
    assert.deepEqual(read("-m=-x").flags, { message: "-x" });
    assert.deepEqual(read("--message", "--follow").flags, { message: "--follow" });
    assert.deepEqual(read("-m", "--").flags, { message: "--" });
  });
  it("may be given as one word", () => {
    assert.deepEqual(read("-fn5").flags, { follow: true, lines: "5" });
    assert.deepEqual(read("-fn", "5").flags, { follow: true, lines: "5" });
    assert.deepEqual(read("-mhi").flags, { message: "hi" });
  });
  it("may be given several times where that makes sense", () =>
    assert.deepEqual(read("--option", "a", "--option=b").flags, { option: ["a", "b"] }));
  it("count once otherwise, the last one", () =>
    assert.deepEqual(read("-m", "a", "-m", "b").flags, { message: "b" }));
  it("end at --", () =>
    assert.deepEqual(read("-f", "--", "-m", "--follow"), {
      args: ["-m", "--follow"],
      flags: { follow: true },
    }));
  it("are not negative numbers, and not a dash alone", () =>
    assert.deepEqual(read("-1", "-").args, ["-1", "-"]));

  for (const [argv, message, hint] of [
    [["--folow"], "oj job logs has no flag --folow", "did you mean --follow?"],
    [["--mesage=x"], "oj job logs has no flag --mesage", "did you mean --message?"],
    [["-x"], "oj job logs has no flag -x", "oj job logs --help"],
    [["--follow=yes"], "--follow takes no value", "oj job logs --help"],
    [["--message"], "--message needs a value", "--message VALUE"],
    [["-n"], "-n needs a value", "-n VALUE"],
    [["--toString"], "oj job logs has no flag --toString", "oj job logs --help"],
  ] as const)
    it(`refuse ${argv.join(" ")}`, () =>
      assert.throws(() => read(...argv), { code: "usage", message, hint }));
});

describe("flags that belong to a runbook's command", () => {
  const run = (...argv: string[]) => readFlags(argv, { name: "run", flags, passesFlags: true });
  it("are handed on as they are, in order", () =>
    assert.deepEqual(run("feature", "--base", "main", "-x", "--deep=1", "last"), {
      args: ["feature", "--base", "main", "-x", "--deep=1", "last"],
      flags: {},
    }));
  it("stand beside our own", () =>
    assert.deepEqual(run("feature", "--base", "main", "-f"), {
      args: ["feature", "--base", "main"],
      flags: { follow: true },
    }));
  it("may look like ours behind --", () =>
    assert.deepEqual(run("feature", "--", "-f").args, ["feature", "-f"]));
});

describe("arguments", () => {
  const check = (args: string, ...given: string[]) => checkArgs({ name: "x y", args }, given);
  it("may be left out where they may", () => {
    check("");
    check("[FILE…]");
    check("ID [N…]", "a");
    check("bash|zsh|fish", "bash");
  });
  it("may be many where they may", () => check("ID… [N…]", "a", "b", "1"));
  it("are refused when one is missing", () =>
    assert.throws(() => check("ID TEXT", "a"), {
      code: "usage",
      message: "oj x y needs TEXT",
      hint: "oj x y ID TEXT",
    }));
  it("are refused when there are too many", () =>
    assert.throws(() => check("ID", "a", "b"), {
      code: "usage",
      message: 'oj x y does not take "b"',
      hint: "oj x y ID",
    }));
});

describe("whether JSON is wanted", () => {
  for (const argv of [
    ["--json"],
    ["-o", "json"],
    ["-o=json"],
    ["-ojson"],
    ["--output", "json"],
    ["--output=json"],
  ])
    it(`is said by ${argv.join(" ")}`, () => assert.equal(wantsJson(["x", ...argv]), true));
  for (const argv of [[], ["-o", "text"], ["--", "--json"], ["-o"]])
    it(`is not said by "${argv.join(" ")}"`, () => assert.equal(wantsJson(["x", ...argv]), false));
});
