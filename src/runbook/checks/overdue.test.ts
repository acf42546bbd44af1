import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { assertProblems, runbookOf } from "../../../test/fakes/marked-runbook.ts";
import type { Person } from "../../core/reach/config-types.ts";
import { compile, parseFile } from "../compile.ts";

const LEVEL = 'level { notify = ["ana"]  next = "15m" }';
const asks = (inside: string) => `job "j" { step "ask" { decision {
  prompt = "Ship?"
  option "go" {}
  option "back" { reversible = true }
  option "stop" { action = "cancel" }
  ${inside}
} } }`;

const refused: [runbook: string, message: string][] = [
  [asks('escalation = «"prdo"»'), 'escalation "prdo" does not exist'],
  [`policy "p" {\n  ask = { tool = "Bash" }\n  escalation = «"prdo"»\n}`, 'escalation "prdo" does not exist'],
  [
    `escalation "e" { level { notify = ["ana"]  remind = «"15m"»  next = "15m" } }`,
    "nobody would be reminded: the next level begins first",
  ],
  [
    `escalation "e" { ${LEVEL} «level» { notify = ["ben"] }  deadline = "15m"  default = "deny" }`,
    "this level begins after the deadline",
  ],
  [
    `escalation "e" { ${LEVEL} level { notify = ["ben"] } }\n${asks('escalation = "e"  deadline = «"10m"»')}`,
    'level 2 of escalation "e" begins after this deadline',
  ],
  [
    `escalation "e" { «level» { notify = ["ana"] } level { notify = ["ben"] } }`,
    "the levels below this one never begin",
  ],
  [
    `escalation "e" { «level» { notify = ["ana"] }  repeat = 1 }`,
    "it never starts again: its last level has no next",
  ],
  ['«escalation "e"» { repeat = 1 }', 'escalation "e" has no levels'],
  [`escalation "e" { ${LEVEL}  repeat = «6» }`, "repeat must be a whole number from 0 to 5, not 6"],
  [`escalation "e" { level { notify = «[]» } }`, "notify names nobody"],
  [`escalation "e" { level { notify = ["ana"]  via = [«"slak"»] } }`, 'unknown channel "slak"'],
  [`«escalation "e"» { ${LEVEL}  default = "deny" }`, 'escalation "e" has a default but no deadline'],
  [asks('default = «"stop"»'), "there is a default but no deadline"],
  [asks('deadline = "1h"  default = «"halt"»'), 'there is no option "halt"'],
  [
    asks('deadline = "1h"  default = «"go"»'),
    '"go" can\'t be the default: it goes on with something that may not be undone',
  ],
  [
    `escalation "e" { ${LEVEL}  deadline = "4h"  default = «"approve"» }`,
    '"approve" can\'t be the default: it approves what nobody has looked at',
  ],
  [
    `agent "a" { run = "claude"  notify { deadline = "1h"  default = «"accept-auto"» } }`,
    '"accept-auto" can\'t be the default: it accepts what nobody has looked at',
  ],
  [
    `agent "a" { run = "claude"  on_idle = { action = "escalate", deadline = "1h", default = «"done"» } }`,
    '"done" can\'t be the default: it goes on with what nobody has looked at',
  ],
  [
    `agent "a" { run = "claude"  on_idle = { action = "nudge", deadline = «"1h"» } }`,
    'deadline belongs to "escalate", not to "nudge"',
  ],
  [
    `agent "a" { run = "claude"  notify { deadline = "1h"  default = «"dney"» } }`,
    'no decision has an option "dney"',
  ],
  [
    `escalation "e" { ${LEVEL}  deadline = "1h"  default = «"dney"» }
     agent "a" { run = "claude"  notify { escalation = "e" } }`,
    'no decision has an option "dney"',
  ],
  [
    `job "j" { notify { deadline = "1h"  default = "go" }
       step "ask" { «decision» { prompt = "?"  option "go" {} } } }`,
    '"go" can\'t be the default: it goes on with something that may not be undone',
  ],
];

describe("a runbook is refused", () => {
  for (const [runbook, message] of refused) it(message, () => assertProblems(runbook, message));
});

describe("a runbook may", () => {
  it.each([
    asks('deadline = "1h"  default = "stop"'),
    asks('deadline = "1h"  default = "back"'),
    `escalation "e" { ${LEVEL}  deadline = "1h"  default = "stop" }\n${asks('escalation = "e"')}`,
    'agent "a" { run = "claude"  notify { deadline = "1h"  default = "deny" } }',
    'agent "a" { run = "claude"  on_prompt = { action = "escalate", deadline = "1h", default = "2" } }',
    'decision_template "t" { deadline = "1h"  default = "go"  option "go" {} }',
    `escalation "for-requests" { ${LEVEL}  deadline = "1h"  default = "no" }`,
    `escalation "e" { ${LEVEL}  deadline = "1h"  default = "no" }
     decision_template "t" { escalation = "e"  option "yes" {}  option "no" {} }`,
  ])("say %s", (text) => {
    runbookOf(text);
  });
});

describe("the people whom an escalation names", () => {
  const known = {
    people: new Map([["ana", {} as Person]]),
    groups: new Map([["backend", ["ana"]]]),
    rotas: new Map(),
  };
  const problems = (names: string, people: typeof known | null) =>
    compile([parseFile("x.hcl", `escalation "e" { level { notify = ${names} } }`)], undefined, [], people)
      .problems;

  it("are those of the person's config", () => {
    assert.deepEqual(problems('["ana", "backend"]', known), []);
    const [first, second] = problems('["anna", "@primary"]', known);
    assert.match(first?.message ?? "", /unknown person or group "anna"; did you mean "ana"\?/);
    assert.match(second?.message ?? "", /unknown rota "@primary"/);
  });

  it("don't matter to whoever only runs a job", () => {
    assert.deepEqual(problems('["nobody"]', null), []);
  });
});
