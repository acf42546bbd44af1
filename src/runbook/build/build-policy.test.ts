import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { sha256 } from "../../core/text/hash.ts";
import { compile, parseFile } from "../compile.ts";

const read = (text: string) => compile([parseFile("x.hcl", text)]);
const problemsOf = (text: string) => read(text).problems.map((it) => it.message);

describe("a policy", () => {
  it("carries its own text and the hash of that", () => {
    const text = 'policy "look around" {\n  approve = { tool = "Bash", command = "ls **" } # why\n}';
    const [policy] = read(`# before\n${text}\njob "j" { step "s" { run = "true" } }`).policies;
    assert.equal(policy?.text, text);
    assert.equal(policy?.hash, sha256(text));
    assert.deepEqual([policy?.name, policy?.line, policy?.kind], ["look around", 2, "approve"]);
  });

  it("has a date and a bound", () => {
    const [policy] = read(
      'policy "p" { approve = { tool = "Bash", command = "ls" }\n at_most = "3/m"\n expires = "2027-02-01" }',
    ).policies;
    assert.deepEqual(policy?.at_most, { times: 3, per_ms: 60_000, text: "3/m" });
    assert.equal(policy?.expires_at_ms, Date.UTC(2027, 1, 1));
  });

  for (const [text, problem] of [
    ['policy "p" {}', 'policy "p" needs exactly one of deny, ask, approve and answer'],
    [
      'policy "p" { deny = { tool = "Bash" }\n ask = { tool = "Bash" } }',
      'policy "p" needs exactly one of deny, ask, approve and answer',
    ],
    ['policy "p" { approve = { tool = "Bash" } }', "approve needs command for Bash"],
    ['policy "p" { approve = { command = "ls" } }', "approve needs tool"],
    ['policy "p" { approve = { tool = "Bash", command = "** -l" } }', '"** -l" would approve any program'],
    [
      'policy "p" { approve = { tool = "Bash", command = "ls | * -l" } }',
      '"ls | * -l" would approve any program',
    ],
    [
      'policy "p" { approve = { tool = "Bash", command = "ls", outside = "workspace" } }',
      "approve can't be about what is outside the workspace",
    ],
    ['policy "p" { deny = {} }', "deny says nothing about the call"],
    [
      'policy "p" { deny = { tool = "Bash" }\n at_most = "1/h" }',
      "at_most bounds what a policy approves or answers, not what it denies",
    ],
    [
      'policy "p" { approve = { tool = "Read" }\n urgency = "high" }',
      "urgency and escalation belong beside ask",
    ],
    [
      'policy "p" { answer = { source = "approval", title = "*", option = "approve" } }',
      'source can\'t be "approval"',
    ],
    [
      'policy "p" { answer = { source = "question", option = "npm" } }',
      "answer needs question, said or title",
    ],
    [
      'policy "p" { approve = { tool = "Bash", command = "ls" }\n expires = "2027-02-30" }',
      'expires must be a date like "2027-02-01", not "2027-02-30"',
    ],
    [
      'policy "p" { approve = { tool = "Bash", command = "ls" }\n at_most = "often" }',
      'at_most must be a bound like "60/h" or "3 in a row", up to 1000, not "often"',
    ],
    [
      'policy "p" { approve = { tool = "Bash", command = "${env.X}" } }',
      "a policy can't take values from elsewhere",
    ],
    [
      'policy "p" { approve = { tool = "Bash", command = env("X") } }',
      "a policy can't take values from elsewhere",
    ],
    ['irreversible "x" {}', 'irreversible "x" says nothing'],
    [
      'policy "p" { deny = { tool = "A" } }\npolicy "p" { deny = { tool = "B" } }',
      'policy "p" is declared twice',
    ],
  ] as const)
    it(`is refused: ${problem}`, () => assert.deepEqual(problemsOf(text), [problem]));

  it("counts for nothing in a file with problems", () => {
    const { policies } = read('policy "p" { deny = { tool = "A" } }\nzebra {}');
    assert.deepEqual(policies, []);
  });
});
