import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readPolicies } from "../../runbook/policies.ts";
import type { Decision } from "../model/decision-types.ts";
import { readCall, wantedPaths } from "./call.ts";
import { judgeCall } from "./judge.ts";
import type { PastCall } from "./suggest.ts";
import { suggestPolicies } from "./suggest.ts";

const DAY_MS = 86_400_000;
const WORKSPACE = "/shop";

interface Asked {
  tool?: string;
  input?: unknown;
  chose?: string | null;
  day?: number;
  job?: number;
}

/** A disk without links: every path is where its words say. */
function placeFor(call: ReturnType<typeof readCall>) {
  const real = new Map(wantedPaths(call).map((it) => [it, it.replace(/\/[^/]+\/\.\.(?=\/|$)/g, "")]));
  return { cwd: WORKSPACE, workspace: WORKSPACE, home: null, real };
}

function past(words: string, { tool = "Bash", input, chose = "approve", day = 0, job = 0 }: Asked): PastCall {
  const call = readCall({ tool, input: input ?? { command: words } }, { cwd: WORKSPACE, home: null });
  const id = `dec-${words}-${day}-${job}`;
  const precedent = { decision: { id } as Decision, chose, asker: `job-${job}`, at_ms: day * DAY_MS };
  return { precedent, call, place: placeFor(call) };
}

/** Approved in turn on two days in two jobs. */
const each = (lines: readonly string[], more: Asked = {}) =>
  lines.map((words, n) => past(words, { day: n % 2, job: n % 2, ...more }));

const options = { added: [], policies: [], dayOf: (ms: number) => `${Math.floor(ms / DAY_MS)}` };
const suggest = (all: readonly PastCall[]) => suggestPolicies(all, options);
const five = <T>(make: (n: number) => T) => Array.from({ length: 5 }, (_, n) => make(n));

describe("policies that answers suggest", () => {
  for (const [what, lines, commands] of [
    ["the same line", five(() => "npm test"), '"npm test"'],
    ["one place that varied", five((n) => `git diff --stat src/${n}.ts`), '"git diff --stat *"'],
    ["options in another order", ["ls -l -a", "ls -a -l", "ls -la", "ls -al", "ls -l -a"], '"ls --all -l"'],
    ["how many lines are shown", five((n) => `head -n ${n + 5} src/a.ts`), '"head --lines=* src/a.ts"'],
    ["more or fewer places", ["cat a", "cat a b", "cat c", "cat d e f", "cat a"], '"cat **"'],
    ["a program that is not known", five((n) => `tsc -p pkg/${n}/tsconfig.json`), '"tsc -p *"'],
    ["several commands in a line", five((n) => `cd src && git log ${n}.ts`), '["cd src", "git log *"]'],
  ] as const)
    it(`cover ${what}, and no more`, () => {
      const group = each(lines);
      const [found, ...more] = suggest(group);
      assert.deepEqual(more, []);
      assert.ok(found, "nothing is suggested");
      assert.ok(found.text.includes(`command = ${commands}\n`), found.text);
      assert.deepEqual([found.answers, found.days, found.jobs, found.decisions.length], [5, 2, 2, 5]);
      const { policies, problems } = readPolicies("x.hcl", found.text);
      assert.deepEqual(problems, []);
      for (const { call, place } of group) assert.equal(judgeCall(policies, call, place, [])[0]?.fits, true);
      for (const line of ["cat /etc/passwd", "git diff --stat ../../x", "tsc -p /etc", "rm -rf src"]) {
        const { call, place } = past(line, {});
        assert.equal(judgeCall(policies, call, place, [])[0]?.fits, false, line);
      }
    });

  it("are about the folder of the files that were edited", () => {
    const edit = (file: string, n: number) =>
      past(file, { tool: "Edit", input: { file_path: `${WORKSPACE}/${file}` }, day: n % 2, job: n % 2 });
    const one = (files: string[]) => suggest(files.map(edit))[0]?.text ?? "";
    assert.match(one(five((n) => `docs/${n}.md`)), /path {4}= "docs\/\*\.md"/);
    assert.match(one(five((n) => `src/${n}/a.ts`)), /path {4}= "src\/\*\*\/\*\.ts"/);
    assert.equal(one(five((n) => `top${n}/a.ts`)), "", "they have no folder in common");
    assert.equal(one(five((n) => `.git/hooks/${n}`)), "", "nobody approves that by a rule");
  });

  for (const [what, all] of [
    ["fewer than five answers", each(["npm test", "npm test", "npm test", "npm test"])],
    [
      "one day",
      each(
        five(() => "npm test"),
        { day: 0 },
      ),
    ],
    [
      "one job",
      each(
        five(() => "npm test"),
        { job: 0 },
      ),
    ],
    ["dissent", [...each(five((n) => `cat ${n}`)), past("cat 9", { chose: "deny" })]],
    ["an approval with a change", [...each(five((n) => `cat ${n}`)), past("cat 9", { chose: null })]],
    ["what can't be undone", each(five(() => "git push --force"))],
    ["what can't be undone, in places", each(five((n) => `npm publish pkg/${n}`))],
    ["what can't be seen through", each(five((n) => `sh -c "echo ${n}"`))],
    ["places outside of the workspace", each(five((n) => `cat /etc/${n}`))],
    ["other subcommands", each(["make a", "make b", "make c", "make d", "make e"])],
    ["other scripts", each(["npm run a", "npm run b", "npm run c", "npm run d", "npm run e"])],
    ["other options", each(["ls -l", "ls -a", "ls -t", "ls -r", "ls -S"])],
    [
      "denials",
      each(
        five(() => "npm test"),
        { chose: "deny" },
      ),
    ],
  ] as const)
    it(`are none for ${what}`, () => assert.deepEqual(suggest(all), []));

  it("leave out what a policy approves already, and what a project lists as irreversible", () => {
    const group = each(five(() => "npm test"));
    const { policies } = readPolicies(
      "x",
      'policy "a" { approve = { tool = "Bash", command = "npm test" } }',
    );
    assert.deepEqual(suggestPolicies(group, { ...options, policies }), []);
    const { irreversible } = readPolicies("x", 'irreversible "a" { command = "npm test" }');
    assert.deepEqual(suggestPolicies(group, { ...options, added: irreversible }), []);
    const [named] = suggestPolicies(group, {
      ...options,
      policies: readPolicies("x", 'policy "npm test" { deny = { tool = "Bash", command = "x" } }').policies,
    });
    assert.equal(named?.name, "npm test 2");
  });
});
