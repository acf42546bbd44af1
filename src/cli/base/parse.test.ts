import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { isCommand, isGroup } from "../registry.ts";
import type { Flags } from "./command.ts";
import { checkArgs, readFlags, readWords, wantsJson } from "./parse.ts";

const words = (...argv: string[]) => readWords(argv, isCommand, isGroup);

describe("the words of a command", () => {
  it("can be two", () =>
    assert.deepEqual(words("decision", "show", "x"), { name: "decision show", rest: ["x"] }));
  it("can be one", () => assert.deepEqual(words("status", "--watch"), { name: "status", rest: ["--watch"] }));
  it("can be an alias", () => assert.deepEqual(words("decisions"), { name: "decisions", rest: [] }));
  it("can be only a group", () => assert.deepEqual(words("decision"), { name: "decision", rest: [] }));
  it("can have flags before and between them", () =>
    assert.deepEqual(words("-o", "json", "decision", "--project", "shop", "list", "--all"), {
      name: "decision list",
      rest: ["-o", "json", "--project", "shop", "--all"],
    }));
  it("are not confused with the value of a flag", () =>
    assert.deepEqual(words("--project", "decision", "status"), {
      name: "status",
      rest: ["--project", "decision"],
    }));
  it("end at the first one that names nothing", () =>
    assert.deepEqual(words("decision", "lst", "x"), { name: "decision", rest: ["lst", "x"] }));
});

const flags = {
  message: { type: "string", short: "m", value: "TEXT", help: "" },
  follow: { type: "boolean", short: "f", help: "" },
  lines: { type: "string", short: "n", help: "" },
  option: { type: "string", multiple: true, help: "" },
} as const satisfies Flags;

const read = (...argv: string[]) => readFlags(argv, { name: "job logs", flags });

describe("flags", () => {
  it("can stand anywhere", () =>
    assert.deepEqual(read("a", "-f", "b", "--message", "hi"), {
      args: ["a", "b"],
      flags: { follow: true, message: "hi" },
    }));
  it("take a value after an equals sign", () =>
    assert.deepEqual(read("--message=a=b").flags, { message: "a=b" }));
  it("take an empty value", () =>
    assert.deepEqual(read("--message=", "-n", "").flags, { message: "", lines: "" }));
  it("take a value that looks like a flag", () => {
    assert.deepEqual(read("-m", "-x").flags, { message: "-x" });
    assert.deepEqual(read("-m=-x").flags, { message: "-x" });
    assert.deepEqual(read("--message", "--follow").flags, { message: "--follow" });
    assert.deepEqual(read("-m", "--").flags, { message: "--" });
  });
  it("can be given as one word", () => {
    assert.deepEqual(read("-fn5").flags, { follow: true, lines: "5" });
    assert.deepEqual(read("-fn", "5").flags, { follow: true, lines: "5" });
    assert.deepEqual(read("-mhi").flags, { message: "hi" });
  });
  it("can be repeated where that makes sense", () =>
    assert.deepEqual(read("--option", "a", "--option=b").flags, { option: ["a", "b"] }));
  it("are refused otherwise if they differ, where somebody's words would get lost", () => {
    const message = "--message is given twice, with different values";
    assert.throws(() => read("-m", "a", "--message=b"), { code: "usage", message });
    assert.deepEqual(read("-m", "a", "-m", "a", "-f", "-f").flags, { message: "a", follow: true });
  });
  it("can be set by a script and again by its caller: the last one wins", () =>
    assert.deepEqual(read("--project", "shop", "-n", "5", "--project=blog", "-n6").flags, {
      project: "blog",
      lines: "6",
    }));
  it("end at --", () =>
    assert.deepEqual(read("-f", "--", "-m", "--follow"), {
      args: ["-m", "--follow"],
      flags: { follow: true },
    }));
  it("are not confused with negative numbers or a lone dash", () =>
    assert.deepEqual(read("-1", "-").args, ["-1", "-"]));

  for (const [argv, message, hint] of [
    [["--folow"], "oj job logs has no flag --folow", "did you mean --follow?"],
    [["--mesage=x"], "oj job logs has no flag --mesage", "did you mean --message?"],
    [["-x"], "oj job logs has no flag -x", "oj job logs --help"],
    [["--follow=yes"], "--follow takes no value", "oj job logs --help"],
    [["--message"], "--message needs a value", "--message TEXT"],
    [["-n"], "-n needs a value", "-n VALUE"],
    [["--toString"], "oj job logs has no flag --toString", "oj job logs --help"],
  ] as const)
    it(`refuse ${argv.join(" ")}`, () =>
      assert.throws(() => read(...argv), { code: "usage", message, hint }));
});

describe("flags that belong to a runbook's command", () => {
  const run = (...argv: string[]) => readFlags(argv, { name: "run", flags, passesFlags: true });
  it("are passed on unchanged, in order", () =>
    assert.deepEqual(run("feature", "--base", "main", "-x", "--deep=1", "last"), {
      args: ["feature", "--base", "main", "-x", "--deep=1", "last"],
      flags: {},
    }));
  it("can be mixed with our own", () =>
    assert.deepEqual(run("feature", "--base", "main", "-f"), {
      args: ["feature", "--base", "main"],
      flags: { follow: true },
    }));
  it("can look like ours after --", () =>
    assert.deepEqual(run("feature", "--", "-f").args, ["feature", "-f"]));
});

describe("arguments", () => {
  const check = (args: string, ...given: string[]) => checkArgs({ name: "x y", args }, given);
  it("can be left out if they are optional", () => {
    check("");
    check("[FILE…]");
    check("ID [N…]", "a");
    check("bash|zsh|fish", "bash");
  });
  it("can be many where that is allowed", () => check("ID… [N…]", "a", "b", "1"));
  it("are refused if one is missing", () =>
    assert.throws(() => check("ID TEXT", "a"), {
      code: "usage",
      message: "oj x y needs TEXT",
      hint: "oj x y ID TEXT",
    }));
  it("are refused if there are too many", () =>
    assert.throws(() => check("ID", "a", "b"), {
      code: "usage",
      message: 'oj x y does not take "b"',
      hint: "oj x y ID",
    }));
});

describe("JSON output", () => {
  for (const argv of [
    ["--json"],
    ["-o", "json"],
    ["-o=json"],
    ["-ojson"],
    ["--output", "json"],
    ["--output=json"],
  ])
    it(`is requested by ${argv.join(" ")}`, () => assert.equal(wantsJson(["x", ...argv]), true));
  for (const argv of [[], ["-o", "text"], ["--", "--json"], ["-o"]])
    it(`is not requested by "${argv.join(" ")}"`, () => assert.equal(wantsJson(["x", ...argv]), false));
});
