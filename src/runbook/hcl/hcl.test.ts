import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { parseHcl } from "./hcl.ts";
import type { Finding } from "./source.ts";
import { problemsOf, sourceOf } from "./source.ts";
import type { Item, Value } from "./syntax.ts";

function parse(text: string) {
  const source = sourceOf("x.hcl", text);
  const findings: Finding[] = [];
  const items = parseHcl(source, (at, message, hint) => findings.push({ at, message, hint }));
  const problems = problemsOf(source, findings).map((it) => `${it.line}:${it.column} ${it.message}`);
  return { tree: items.map(plain), problems };
}

/** The tree without positions: `{ a: 1 }` for an attribute, `["block", …labels, [items]]` for a block. */
function plain(item: Item): unknown {
  if (item.type === "attribute") return { [item.name]: plainValue(item.value) };
  return [item.kind, ...item.labels.map((it) => it.text), item.items.map(plain)];
}

function plainValue(value: Value): unknown {
  switch (value.type) {
    case "list":
      return value.items.map(plainValue);
    case "object":
      return Object.fromEntries(value.entries.map((it) => [it.key, plainValue(it.value)]));
    case "call":
      return `${value.name}(${value.argument.value})`;
    case "null":
      return null;
    case "bad":
      return "bad";
    default:
      return value.value;
  }
}

describe("the parser", () => {
  it.each<[what: string, text: string, tree: unknown[]]>([
    ["an empty file", "", []],
    ["a byte order mark", "\uFEFFa = 1", [{ a: 1 }]],
    ["CRLF", "a = 1\r\nb = 2\r\n", [{ a: 1 }, { b: 2 }]],
    [
      "numbers",
      "a = 1\nb = -2\nc = 2.50\nd = 1e3\ne = 01",
      [{ a: 1 }, { b: -2 }, { c: 2.5 }, { d: 1000 }, { e: 1 }],
    ],
    ["booleans and null", "a = true\nb = false\nc = null", [{ a: true }, { b: false }, { c: null }]],
    ["comments", "# x\na = 1 // y\n/* z\n*/ b = /* in */ 2 # end", [{ a: 1 }, { b: 2 }]],
    ["lists over lines", 'a = [\n 1, # one\n "b"\n ,\n [],\n]', [{ a: [1, "b", []] }]],
    ["objects", 'a = { x = 1, "y z" : 2\n q = {}\n\n}', [{ a: { x: 1, "y z": 2, q: {} } }]],
    ["calls", 'a = file("x.md")\nb = env( "Y" )', [{ a: "file(x.md)" }, { b: "env(Y)" }]],
    ["labels with and without quotes", 'job "a" b { }', [["job", "a", "b", []]]],
    ["several attributes on a line", 'o "a" { d = "x"  r = true }', [["o", "a", [{ d: "x" }, { r: true }]]]],
    [
      "blocks on a line",
      's "a" { d { o "x" { r = true } o y {} } e = 1 }',
      [
        [
          "s",
          "a",
          [
            [
              "d",
              [
                ["o", "x", [{ r: true }]],
                ["o", "y", []],
              ],
            ],
            { e: 1 },
          ],
        ],
      ],
    ],
    ["the order of the file", "b {}\na = 1\nb {}\nc = 2", [["b", []], { a: 1 }, ["b", []], { c: 2 }]],
    ["names that look like values", "true = 1\nfor = { null = 2 }", [{ true: 1 }, { for: { null: 2 } }]],
    ["names in any script", "größe-2 = 1", [{ "größe-2": 1 }]],
  ])("reads %s", (_, text, tree) => assert.deepEqual(parse(text), { tree, problems: [] }));
});

describe("strings", () => {
  it.each<[what: string, text: string, value: string]>([
    ["escapes", String.raw`"\n\t\r\"\\\u00e9\U0001F600"`, '\n\t\r"\\é😀'],
    ["no text at all", '""', ""],
    ["references as they stand", '"a ${var.x} %{if y} b"', "a ${var.x} %{if y} b"],
    ["quotes and braces in a reference", '"${f({a = "}"}, "${b["c"]}")}!"', '${f({a = "}"}, "${b["c"]}")}!'],
    ["escapes in a reference as they stand", '"${x:-\\"a\\n\\"}"', '${x:-\\"a\\n\\"}'],
    ["doubled openings as they stand", '"$${x} %%{y} $$${z} $${\\""', '$${x} %%{y} $$${z} $${"'],
    ["dollar and percent signs", '"$ % $x 5% {} $"', "$ % $x 5% {} $"],
    ["an escaped dollar as the text itself", String.raw`"\u0024{x}"`, "$${x}"],
    ["an escaped dollar elsewhere", String.raw`"\u0024x"`, "$x"],
    ["the shell's own expansions", `"\${HOME:-/} \${a%%{*} $(x)"`, "${HOME:-/} ${a%%{*} $(x)"],
  ])("have %s", (_, text, value) =>
    assert.deepEqual(parse(`a = ${text}`), { tree: [{ a: value }], problems: [] }),
  );

  it.each<[what: string, text: string, value: string]>([
    ["lines and a last newline", "<<EOF\n  a\n b\nEOF", "  a\n b\n"],
    ["no text at all", "<<EOF\nEOF", ""],
    ["their indentation taken off", "<<-EOF\n    a\n      b\n    EOF", "a\n  b\n"],
    ["blank lines left alone", "<<-EOF\n    a\n\n  \n    b\n  EOF", "a\n\n  \nb\n"],
    ["tabs counted as one", "<<-EOF\n\t\ta\n\tb\n\tEOF", "\ta\nb\n"],
    ["no escapes", '<<EOF\n\\n "q" \\\nEOF', '\\n "q" \\\n'],
    ["references as they stand", "<<EOF\n${a.b} $${c} %{ d\nEOF", "${a.b} $${c} %{ d\n"],
    ["LF for CRLF", "<<EOF\r\na\r\nb\r\nEOF\r\n", "a\nb\n"],
    ["an end that is indented", "<<EOF\na\n   EOF", "a\n"],
    ["words that only begin like the end", "<<E\nEE\nE E\nE", "EE\nE E\n"],
  ])("over several lines have %s", (_, text, value) =>
    assert.deepEqual(parse(`a = ${text}`), { tree: [{ a: value }], problems: [] }),
  );
});

describe("a mistake", () => {
  it.each<[text: string, ...problems: string[]]>([
    ["a = ", "1:5 a value is missing here"],
    ["a\n", "1:2 expected = or { after a, not the end of the line"],
    ['a "b"\n', "1:6 expected { after a, not the end of the line"],
    ["a = b", "1:5 b is not a value"],
    ["a = var.x", "1:5 var.x is not a value by itself"],
    ["a = yes", "1:5 yes is not a value"],
    ["a : 1", "1:3 an attribute is set with ="],
    ['"a" = 1', "1:1 the name of an attribute takes no quotes"],
    ["= 1", '1:1 expected an attribute or a block, not "="'],
    ["a = 'b'", "1:5 strings take double quotes"],
    ["a = “b”", "1:5 strings take double quotes"],
    ['a = "b', "1:5 this string is not closed"],
    ['a = "b\nc = 1', "1:5 this string is not closed"],
    ['a = "${b"', "1:6 this ${ is not closed on its line"],
    ['a = "%{b', "1:6 this %{ is not closed on its line"],
    [
      'a = "\\d\\u12\\U00110000\\ud800\\u0000"',
      "1:6 unknown escape \\d",
      "1:8 unknown escape \\u",
      "1:12 \\U00110000 is not a character that text can contain",
      "1:22 \\ud800 is not a character that text can contain",
      "1:28 \\u0000 is not a character that text can contain",
    ],
    ["a = <<EOF\nb\n", "1:5 this heredoc is not closed: no line says only EOF"],
    [
      'a = <<"EOF"\nb\n',
      "1:5 a heredoc begins with <<NAME, and its text starts on the next line",
      "2:2 expected = or { after b, not the end of the line",
    ],
    ["/* a", "1:1 this comment is not closed"],
    ["a = 30s", "1:5 30s is not a number"],
    ["a = 1e999", "1:5 this number is too large"],
    ["a = 1 + 2", "1:7 runbooks have no expressions, so + can't be used here"],
    ["a = !true", '1:5 expected a value, not "!"'],
    ["a = (1)", '1:5 expected a value, not "("'],
    ["a = x ? 1 : 2", "1:5 x is not a value"],
    ["a = [for x in y : x]", "1:6 runbooks have no for expressions"],
    ["a = b[0]", "1:5 b is not a value"],
    ['a = upper("x")', "1:5 there is no function upper"],
    ["a = file()", "1:5 file takes one string"],
    ['a = file("x", "y")', "1:5 file takes one string"],
    ["a = [1 2]", "1:7 a comma is missing between the items of this list"],
    ["a = [1,,2]", '1:8 expected a value, not ","'],
    ["a = [1\nb = 2", "1:5 this [ is not closed"],
    ["a = { b = 1 c = 2 }", "1:13 a comma is missing before this entry"],
    ["a = { b 1 }", '1:9 expected = after "b", not "1"'],
    ["a = { 1 = 2 }", '1:7 expected a key, not "1"'],
    ["a = { b = 1, b = 2 }", '1:14 "b" is set twice in this object'],
    ["a = 1\na = 2", '2:1 "a" is set twice'],
    ["a { b = 1, c = 2 }", "1:10 the items of a block are not separated by commas"],
    ["a\n{\n}", "1:1 the { of this block must be on the same line"],
    ["}", "1:1 this } closes nothing"],
    ["a {", "1:3 this { is not closed"],
    ["a = {", "1:5 this { is not closed"],
    ["a = 1 ; b = 2", '1:7 ";" is unexpected here'],
    ["a = \u00a01", "1:5 unexpected character U+00A0"],
    ["\u0007\u0007", "1:1 unexpected character U+0007"],
    ["§§ = 1", "1:1 unexpected character § (U+00A7)"],
  ])("is reported for %j", (text, ...problems) => assert.deepEqual(parse(text).problems, problems));

  it("is reported with its place counted in characters, not bytes or UTF-16", () => {
    assert.deepEqual(parse('a = "日本😀" b = c').problems, ["1:15 c is not a value"]);
  });

  it("is reported along with all others, each on its own line", () => {
    const { problems, tree } = parse('a = b\nc = "d\ne = [1\nf { g = }\nh = 1');
    assert.deepEqual(problems, [
      "1:5 b is not a value",
      "2:5 this string is not closed",
      "3:5 this [ is not closed",
      '4:9 expected a value, not "}"',
    ]);
    assert.deepEqual(tree.at(-1), { h: 1 });
  });

  it("is reported for the block that really lacks its brace", () => {
    const text = 'job "a" {\n  step "b" {\n    run = "x"\n  step "c" {\n    run = "y"\n  }\n}\n';
    assert.deepEqual(parse(text).problems, ["2:12 this { is not closed"]);
  });

  it("is reported up to fifty times", () => {
    const { problems } = parse("a = b\n".repeat(80));
    assert.equal(problems.length, 51);
    assert.match(problems.at(-1) ?? "", /^26:\d+ and 109 more$/);
  });

  it.each(["a {\n", "a = [", "a = {b=", "a = f(", 'a = "${', 'a = "${"'])(
    "is dealt with for %j, however often it is repeated",
    (text) => {
      const { problems } = parse(text.repeat(20_000));
      assert.ok(problems.length > 0);
    },
  );

  it("is reported if something is nested too deep", () => {
    assert.deepEqual(parse(`a = ${"[".repeat(50)}${"]".repeat(50)}`).problems, []);
    assert.deepEqual(parse(`a = ${"[".repeat(51)}${"]".repeat(51)}`).problems, [
      "1:55 nested deeper than 50 levels",
    ]);
  });
});
