import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compile, parseFile } from "../../runbook/compile.ts";
import { bundleOf, crewOf } from "./library.ts";

const GOOD = `
command "ship" { run = { job = "ship" } }
command "watch" { run = { agent = "watcher" } }
job "ship" {
  PART
}
agent "watcher" {
  run    = "claude"
  notify = { escalation = "team" }
}`;

const SHARED = `
decision_template "go-live" {
  prompt_hint = "Ship it?"
  approvers   = ["ana", "ben"]
  min         = 2
}
agent "worker" { run = "claude" }
job "inner" {
  step "a" { run = "true" }
}
escalation "team" {
  level { notify = ["ana"] }
}`;

const asks = 'step "ask" {\n decision {\n MORE\n prompt = "Ship?"\n option "yes" {}\n }\n }';

/** What starting this part says if the file with everything it names has a mistake in another block. */
function started(part: string, shared: string): { command: string; refused: string | null }[] {
  const files = [parseFile("a.hcl", GOOD.replace("PART", part)), parseFile("b.hcl", shared)];
  const { runbook } = compile(files);
  return runbook.commands.map((command) => {
    try {
      if (crewOf(runbook, command) === null) bundleOf(runbook, command);
      return { command: command.name, refused: null };
    } catch (error) {
      return { command: command.name, refused: (error as Error).message };
    }
  });
}

describe("what a job takes from a file that can't be read", () => {
  it.each([
    ["template", "go-live", asks.replace("MORE", 'template = "go-live"')],
    ["agent", "worker", 'step "do" { run = { agent = "worker" } }'],
    ["job", "inner", 'step "do" { run = { job = "inner" } }'],
    ["escalation", "team", asks.replace("MORE", 'escalation = "team"')],
    ["escalation", "team", 'notify { escalation = "team" }\n step "do" { run = "true" }'],
  ])("keeps it from starting without the %s", (kind, name, part) => {
    const broken = `${SHARED}\nagent "typo" { runn = "claude" }`;
    const refused = `${kind} "${name}" is not in any runbook that could be read`;
    assert.equal(started(part, broken)[0]?.refused, refused);
    assert.equal(started(part, SHARED)[0]?.refused, null);
  });

  it("keeps a crew from starting without its escalation", () => {
    const part = 'step "a" { run = "true" }';
    const broken = `${SHARED}\nagent "typo" { runn = "claude" }`;
    assert.deepEqual(started(part, broken), [
      { command: "ship", refused: null },
      { command: "watch", refused: 'escalation "team" is not in any runbook that could be read' },
    ]);
    assert.equal(started(part, SHARED)[1]?.refused, null);
  });
});
