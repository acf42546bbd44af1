import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compileText, runbookOf } from "../../../test/fakes/marked-runbook.ts";

const files = {
  "a.md": { text: "A\n" },
  "b.md": { text: "${var.x} ${var.y}" },
  "c.md": { text: '${file("a.md")}' },
};
const agent = (prompt: string) => `agent "a" {\n  run = "x"\n  prompt = ${prompt}\n}`;

function promptOf(prompt: string): string | undefined {
  return runbookOf(agent(prompt), files).agents[0]?.prompt;
}

function problemsOf(prompt: string): string[] {
  const { problems } = compileText(agent(prompt), files);
  return problems.map((it) => `${it.line}:${it.column}+${it.length} ${it.message}`);
}

describe("file()", () => {
  it("is the text of the file", () => assert.equal(promptOf('file("a.md")'), "A\n"));
  it("is pasted into a string", () =>
    assert.equal(promptOf('"<${file("a.md")}${ file( "a.md" ) }>"'), "<A\nA\n>"));
  it("is pasted into a heredoc", () =>
    assert.equal(promptOf('<<-E\n    ${file("a.md")}\n      b\n    E\n'), "A\n\n  b\n"));
  it("is left alone where it is meant as text", () =>
    assert.equal(promptOf('"$${file(\\"a.md\\")}"'), '$${file("a.md")}'));
  it("is not expanded inside a file", () => assert.equal(promptOf('file("c.md")'), '${file("a.md")}'));

  it("is reported where it stands if there is no such file", () => {
    assert.deepEqual(problemsOf('file("x.md")'), ['3:12+12 file "x.md" does not exist']);
    assert.deepEqual(problemsOf('"é ${file("x.md")} ${file("y.md")}"'), [
      '3:15+15 file "x.md" does not exist',
      '3:31+15 file "y.md" does not exist',
    ]);
    assert.deepEqual(problemsOf('<<E\na\n  ${file("x.md")}\nE\n'), ['5:3+15 file "x.md" does not exist']);
  });

  it("is reported if its path is not a plain one", () => {
    assert.deepEqual(problemsOf('file("${var.x}.md")'), ["3:12+19 the path of a file can't contain ${…}"]);
    assert.deepEqual(problemsOf('"${file(var.x)}"'), ["3:13+7 file takes one string"]);
    assert.deepEqual(problemsOf('"${file(\\"a.md\\")}"'), ["3:13+7 file takes one string"]);
  });

  it("brings references along, which are checked and reported where the file is asked for", () => {
    const text = (prompt: string) => `job "j" {\n  vars = ["x"]\n  step "s" { run = ${prompt} }\n}`;
    const { problems } = compileText(text('"echo \\"${file("b.md")} ${var.z}\\""'), files);
    assert.deepEqual(
      problems.map((it) => `${it.line}:${it.column} ${it.message}`),
      ['3:28 there is no var "y"', '3:44 there is no var "z"'],
    );
  });

  it("may not paste without end", () => {
    const large = { "a.md": { text: "x".repeat(256 * 1024) } };
    const { problems } = compileText(agent(`"${'${file("a.md")}'.repeat(20)}"`), large);
    assert.deepEqual(
      [...new Set(problems.map((it) => it.message))],
      ["more than 4 MB of files are pasted into this runbook"],
    );
  });
});

describe("env()", () => {
  it("is a reference, so that its value is never pasted into a script", () => {
    assert.equal(promptOf('env("HOME")'), "${env.HOME}");
    assert.equal(promptOf('"a ${env("HOME")} b"'), "a ${env.HOME} b");
  });

  it("needs a name that a variable can have", () => {
    assert.deepEqual(problemsOf('env("A B")'), ['3:12+10 "A B" is not the name of an environment variable']);
    assert.deepEqual(problemsOf('"${env("")}"'), ['3:13+10 "" is not the name of an environment variable']);
  });
});
