// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test hold ${…} for our own reader.
import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import type { Value } from "../model/runbook.ts";
import type { Lookup } from "./interpolate.ts";
import { interpolate, references } from "./interpolate.ts";

const values: Record<string, Value> = {
  "var.name": "feature-login",
  "var.empty": "",
  "var.emoji": "a🎉é世b",
  "args.files": ["a.ts", "b c.ts"],
  "args.none": [],
  "decision.approve.message": "Looks good",
  "env.HOME": "/home/me",
};
const lookup: Lookup = ({ namespace, path }) => values[[namespace, ...path].join(".")];

describe("interpolate", () => {
  it.each([
    ["Build ${var.name}.", "Build feature-login."],
    ["${var.name}${var.name}", "feature-loginfeature-login"],
    ["${decision.approve.message}!", "Looks good!"],
    ["${args.files}", "a.ts b c.ts"],
    ["[${args.none}]", "[]"],
    ["[${var.empty}]", "[]"],

    ["${var.name:0:7}", "feature"],
    ["${var.name:8}", "login"],
    ["${var.name: 8}", "login"],
    ["${var.name: -5}", "login"],
    ["${var.name: -5:3}", "log"],
    ["${var.name:0:-6}", "feature"],
    ["${var.name:50}", ""],
    ["${var.name: -50}", ""],
    ["${var.name:9:-9}", ""],
    ["${var.emoji:1:3}", "🎉é世"],
    ["${args.files:0:4}", "a.ts"],

    ["${var.name:-other}", "feature-login"],
    ["${var.absent:-main}", "main"],
    ["${var.empty:-main}", "main"],
    ["${args.none:-no files}", "no files"],
    ["${var.absent:-}", ""],
    ["${var.absent:--5}", "-5"],
    ["${var.absent:-a {b} c}", "a {b} c"],
    ["${var.absent:-<${var.name}>}", "<feature-login>"],
    ["${var.absent:-${var.gone:-${env.HOME}}}", "/home/me"],
    ["${var.name:-${var.gone}}", "feature-login"],

    ["$${var.name}", "${var.name}"],
    ["$$${var.name}", "$${var.name}"],
    ["%%{if}", "%{if}"],
    ["%{http_code}", "%{http_code}"],
    [
      "${HOME} ${x:-y} $(date) $x $5.00 ${a-b.c} ${.x} ${}",
      "${HOME} ${x:-y} $(date) $x $5.00 ${a-b.c} ${.x} ${}",
    ],
    ["${name%%{*}", "${name%%{*}"],
    ["${HOME:-${var.name}}", "${HOME:-feature-login}"],
  ])("fills %s", (text, filled) => assert.equal(interpolate(text, lookup), filled));

  it("never looks into a value for references", () => {
    assert.equal(
      interpolate("${var.x}", () => "${var.y} $${var.z}"),
      "${var.y} $${var.z}",
    );
  });

  it("leaves text without references as it is", () => {
    const unit = fc.constantFrom("a", " ", "\n", "{", "}", "%", ".", ":", "🎉");
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        fc.pre(!text.includes("%%{"));
        assert.equal(interpolate(text, lookup), text);
      }),
    );
  });

  it("names everything that is missing", () => {
    assert.throws(
      () => interpolate("${var.a} ${var.name} ${var.b:0:3} ${var.c:-${step.d.output}} ${var.a}", lookup),
      {
        code: "value.missing",
        message: "${var.a}, ${var.b}, ${step.d.output} have no value.",
        details: { missing: ["var.a", "var.b", "step.d.output"] },
      },
    );
  });

  it("says how to give a default", () => {
    assert.throws(() => interpolate("${var.base}", lookup), {
      message: "${var.base} has no value.",
      hint: "give it a value, or a default: ${var.base:-…}",
    });
  });

  it("refuses a namespace that does not exist, whatever the lookup or the default says", () => {
    for (const text of ["${vars.x}", "${vars.x:-y}"]) {
      assert.throws(() => interpolate(text, () => "found"), {
        code: "value.missing",
        hint: /^"vars" is not a namespace; the namespaces are var, args,/,
      });
    }
  });

  it.each([
    "${var.x%y}",
    "${var.}",
    "${var.x.}",
    "${var.x",
    "${var.x:-y",
    "${var.x:y}",
    "${var.x:}",
    "${var.x:1:y}",
    "${var.x }",
  ])("refuses %s, which has none of the valid forms", (text) => {
    assert.throws(() => interpolate(`see ${text}`, lookup), { code: "value.invalid" });
    assert.equal(references(text)[0]?.problem !== undefined, true);
  });
});

describe("references", () => {
  it("returns each with its place and its parts", () => {
    assert.deepEqual(references("a ${var.x:2:3} ${decision.ok.message:-none}"), [
      {
        raw: "${var.x:2:3}",
        start: 2,
        end: 14,
        namespace: "var",
        path: ["x"],
        substring: { offset: 2, length: 3 },
      },
      {
        raw: "${decision.ok.message:-none}",
        start: 15,
        end: 43,
        namespace: "decision",
        path: ["ok", "message"],
        fallback: "none",
      },
    ]);
  });

  it("finds those in defaults and in the shell's own expansions, each at its place", () => {
    const text = "${HOME:-${var.a}} '${var.b:-x ${env.C:-${nope.d}} y}' $${var.no}";
    const found = references(text);
    assert.deepEqual(
      found.map((it) => [it.namespace, ...it.path].join(".")),
      ["var.a", "var.b", "env.C", "nope.d"],
    );
    for (const it of found) assert.equal(text.slice(it.start, it.end), it.raw);
  });
});
