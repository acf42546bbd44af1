import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { Refusal } from "../../core/model/errors.ts";
import type { Arg, Command } from "../../core/model/runbook.ts";
import { parseArgs, readArgs } from "./args.ts";

function read(spec: string): { args: Arg[]; problems: string[] } {
  const problems: string[] = [];
  const args = readArgs(spec, (start, end, message) =>
    problems.push(`${spec.slice(start, end)}: ${message}`),
  );
  return { args, problems };
}

function command(spec: string, defaults: Record<string, string> = {}): Command {
  const { args, problems } = read(spec);
  assert.deepEqual(problems, []);
  return {
    path: "x.hcl",
    line: 1,
    name: "c",
    usage: spec,
    args,
    defaults,
    run: { type: "shell", script: "x" },
  };
}

describe("the declaration of arguments", () => {
  it.each<[spec: string, arg: Arg]>([
    ["<a>", { kind: "positional", name: "a", required: true, variadic: false }],
    ["[a]", { kind: "positional", name: "a", required: false, variadic: false }],
    ["<a...>", { kind: "positional", name: "a", required: true, variadic: true }],
    ["[a...]", { kind: "positional", name: "a", required: false, variadic: true }],
    ["--flag", { kind: "flag", name: "flag" }],
    ["[--flag]", { kind: "flag", name: "flag" }],
    ["-f/--flag", { kind: "flag", name: "flag", short: "f" }],
    ["--opt <v>", { kind: "option", name: "opt", required: true, value: "v" }],
    ["--opt=<v>", { kind: "option", name: "opt", required: true, value: "v" }],
    ["[--opt <some value>]", { kind: "option", name: "opt", required: false, value: "some value" }],
    ["[-p/--opt <v>]", { kind: "option", name: "opt", short: "p", required: false, value: "v" }],
    ["-p/--opt  <v>", { kind: "option", name: "opt", short: "p", required: true, value: "v" }],
  ])("%s", (spec, arg) => assert.deepEqual(read(spec), { args: [arg], problems: [] }));

  it("may be in any order, if required ones come first", () => {
    const { args, problems } = read(
      "  --all <a>   <name> <what> [more] [--base <branch>] [rest...] --force ",
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      args.map((it) => it.name),
      ["all", "name", "what", "more", "base", "rest", "force"],
    );
  });

  it("may be empty", () => assert.deepEqual(read("").args, []));

  it.each<[spec: string, ...problems: string[]]>([
    ["name", 'name: args has "name", which is not an argument'],
    ["<a b>", '<a b>: args has "<a b>", which is not an argument'],
    ["<a", '<a: args has "<a", which is not an argument'],
    ["[]", '[]: args has "[]", which is not an argument'],
    ["-f", '-f: args has "-f", which is not an argument'],
    ["<--a>", '<--a>: args has "<--a>", which is not an argument'],
    ["[<a>]", '[<a>]: args has "[<a>]", which is not an argument'],
    ["<a....>", '<a....>: args has "<a....>", which is not an argument'],
    ["[a] <b>", "<b>: <b> is required, so it can't come after [a], which is optional"],
    ["<a...> [b]", "[b]: [b] can't come after <a...>, which takes everything that is left"],
    ["<a> <a>", '<a>: args has "a" twice'],
    ["<a> --a", "--a: args has --a twice"],
    ["-f/--a -f/--b", "-f/--b: args has -f twice"],
    ["--wait", "--wait: --wait is a flag of oj run itself"],
    [
      "-a/--all [-o/--out <v>]",
      "-a/--all: -a is a flag of oj run itself",
      "[-o/--out <v>]: -o is a flag of oj run itself",
    ],
    [
      "--json --project <p> --output --attach",
      "--json: --json is a flag of oj run itself",
      "--project <p>: --project is a flag of oj run itself",
      "--output: --output is a flag of oj run itself",
      "--attach: --attach is a flag of oj run itself",
    ],
  ])("may not be %s", (spec, ...problems) => assert.deepEqual(read(spec).problems, problems));

  it("never throws, whatever is written", () => {
    const piece = fc.constantFrom("<", ">", "[", "]", "-", "--", "/", "...", "a", "b", " ", "=", "é");
    fc.assert(
      fc.property(
        fc.array(piece).map((it) => it.join("")),
        (spec) => {
          read(spec);
        },
      ),
    );
  });
});

describe("the arguments of a run", () => {
  const feature = command("<name> <what> [more...] [--base <branch>] -f/--force", { base: "main" });

  it.each<[argv: string[], values: Record<string, string | string[]>]>([
    [["a", "b"], { name: "a", what: "b", more: [], base: "main", force: "" }],
    [["a", "b", "c", "d"], { name: "a", what: "b", more: ["c", "d"], base: "main", force: "" }],
    [["--base", "x", "a", "-f", "b"], { name: "a", what: "b", more: [], base: "x", force: "true" }],
    [["a", "b", "--base=x=y"], { name: "a", what: "b", more: [], base: "x=y", force: "" }],
    [["a", "b", "--base="], { name: "a", what: "b", more: [], base: "", force: "" }],
    [["--", "--force", "-x"], { name: "--force", what: "-x", more: [], base: "main", force: "" }],
    [["a", "b", "--", "--", "c"], { name: "a", what: "b", more: ["--", "c"], base: "main", force: "" }],
    [["", "-5"], { name: "", what: "-5", more: [], base: "main", force: "" }],
    [["-", "b"], { name: "-", what: "b", more: [], base: "main", force: "" }],
  ])("%j", (argv, values) => assert.deepEqual(parseArgs(feature, argv).values, values));

  it("can be given by name", () => {
    const named = { name: "n", more: "m", force: "true" };
    assert.deepEqual(parseArgs(feature, ["w"], named).values, {
      name: "n",
      what: "w",
      more: ["m"],
      base: "main",
      force: "true",
    });
    assert.equal(parseArgs(feature, ["a", "b"], { force: "false" }).values.force, "");
  });

  it("are switched off by default where it is false", () => {
    const values = (force: string) => parseArgs(command("-f/--force", { force }), []).values;
    assert.deepEqual([values("false"), values("true")], [{ force: "" }, { force: "true" }]);
  });

  it("are empty if an optional one is absent and has no default", () => {
    assert.deepEqual(parseArgs(command("[a] [--b <v>]"), []).values, { a: "", b: "" });
  });

  it.each<[argv: string[], named: Record<string, string>, problems: string[]]>([
    [[], {}, ["<name> is missing", "<what> is missing"]],
    [["a"], {}, ["<what> is missing"]],
    [["a", "b", "--bse", "x"], {}, ["there is no --bse (did you mean --base?)"]],
    [["a", "b", "-q"], {}, ["there is no -q"]],
    [["a", "b", "--force=1"], {}, ["--force takes no value"]],
    [["a", "b", "--base"], {}, ["--base needs a <branch>"]],
    [["a", "b", "--base", "--force"], {}, ["--base needs a <branch>"]],
    [["a", "b", "-f", "--force"], {}, ["--force is given twice"]],
    [["a", "b"], { nmae: "x" }, ['there is no argument "nmae" (did you mean "name"?)']],
    [["a", "b"], { force: "yes" }, ['--force is true or false, not "yes"']],
    [["a", "b", "--base", "x"], { base: "y" }, ["--base is given twice"]],
  ])("are refused: %j %j", (argv, named, problems) => {
    assert.throws(
      () => parseArgs(feature, argv, named),
      (error) => {
        assert.ok(error instanceof Refusal);
        assert.equal(error.code, "command.arguments");
        assert.equal(error.message, `c can't start: ${problems.join("; ")}.`);
        assert.equal(error.hint, "usage: oj run c <name> <what> [more...] [--base <branch>] -f/--force");
        return true;
      },
    );
  });

  it("are refused if there are too many", () => {
    assert.throws(() => parseArgs(command("<a>"), ["1", "2", "3"]), {
      message: 'c can\'t start: unexpected argument "2"; unexpected argument "3".',
    });
    assert.throws(() => parseArgs(command(""), ["1"]), { hint: "usage: oj run c" });
  });

  it("have the words as they were typed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 9 }), { minLength: 1, maxLength: 6 }),
        (words) => {
          assert.deepEqual(parseArgs(command("<all...>"), ["--", ...words]).values, { all: words });
        },
      ),
    );
  });
});
