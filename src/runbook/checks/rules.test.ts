import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compile, parseFile } from "../compile.ts";

const warned = (text: string) =>
  compile([parseFile("x.hcl", text)]).warnings.map(({ line, message }) => `${line}: ${message}`);
const step = (inside: string) => `job "j" {
  step "ask" {
    decision {
      prompt = "Ship?"
      ${inside}
    }
  }
}`;
const template = (inside: string) => `decision_template "t" {
  ${inside}
}`;

/** What an option looks like, and whether it is warned about where it takes two people. */
const OPTIONS: [option: string, isWarned: boolean][] = [
  ['option "no" {}', true],
  ['option "n" { label = "No, wait" }', true],
  ['option "r" { label = "Reject it" }', true],
  ['option "deny" {}', true],
  ['option "abort" { action = "continue" }', true],
  ['option "no" { action = "cancel" }', false],
  ['option "reject" { action = "fail" }', false],
  ['option "deny" { action = "dismiss" }', false],
  ['option "n" { label = "No downtime" }', false],
  ['option "now" {}', false],
  ['option "ship" {}', false],
];

describe("an option that reads like a no and isn't one", () => {
  for (const [option, isWarned] of OPTIONS)
    for (const [where, text, line] of [
      ["a step", (min: string) => step(`${min}  option "go" {}\n${option}`), 6],
      ["a template", (min: string) => template(`${min}  option "go" {}\n${option}`), 3],
    ] as const)
      it(`${isWarned ? "is" : "is not"} warned about: ${option} in ${where}`, () => {
        const words = warned(text("min = 2")).filter((it) => /reads like a no/.test(it));
        assert.deepEqual(
          words.map((it) => Number.parseInt(it, 10)),
          isWarned ? [line] : [],
        );
        for (const min of ["", "min = 1"])
          assert.ok(!warned(text(min)).some((it) => /reads like a no/.test(it)));
      });

  it("is said once: of a template where it stands, else where two people are asked for", () => {
    const used = step('template = "t"');
    const options = 'option "go" {}\noption "no" {}';
    assert.equal(warned(`${template(`min = 2\n${options}`)}\n${used}`).length, 1);
    const here = warned(`${template(options)}\n${step('template = "t"  min = 2')}`);
    assert.equal(here.length, 1);
    assert.equal(warned(step('min = 2  option "go" {}  option "cancel" {}')).length, 1);
  });
});
