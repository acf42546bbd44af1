import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { EVASIONS, GENEROUS, INCIDENTS } from "../../../test/unit/policy/evasions.ts";
import { policiesIn } from "../../../test/unit/policy/judged.ts";
import { lineMaker } from "../../../test/unit/policy/lines.ts";
import { readCall, wantedPaths } from "./call.ts";
import { fittingCall, judgeCall } from "./judge.ts";
import { mayFit } from "./may-fit.ts";

const PLACE = { cwd: "/shop", workspace: "/shop", home: "/home/ana" };

/** Patterns that begin in every way: plain, wild, with options first, abbreviated, by path, as a pipe, without a command. */
const PATTERNS = [
  ...[
    "git push **",
    "git ** push **",
    "git -C * push **",
    "git p* **",
    "git",
    "git **",
    "git diff --stat **",
  ],
  ...[
    "npm publish **",
    "npm pu **",
    "npm i **",
    "npm t",
    "npm -w web run **",
    "/usr/bin/git push **",
    "GIT **",
  ],
  ...["rm -rf **", "rm ** -r -f **", "ls", "ls -l **", "* --force", "** evil **", "*sh -c **", "evil --now"],
  ...[
    "echo **",
    "cat src/* | echo a",
    "kubectl -n prod delete **",
    "docker ** push **",
    "cd src",
    "grep x **",
  ],
];
const KINDS = ["deny", "ask", "approve"];
const isAnyProgram = (pattern: string) => /^\*\*? /.test(pattern); // no policy may approve that
const blocks = PATTERNS.flatMap((pattern, n) =>
  KINDS.filter((kind) => kind !== "approve" || !isAnyProgram(pattern)).map(
    (kind) => `policy "${kind} ${n}" { ${kind} = { tool = "Bash", command = ${JSON.stringify(pattern)} } }`,
  ),
);
const others = KINDS.flatMap((kind) => [
  `policy "${kind} pipe" { ${kind} = { tool = "Bash", pipe = ["cat **", "sort **"] } }`,
  `policy "${kind} both" { ${kind} = { tool = "Bash", command = "ls **", pipe = ["cat **", "sort **"] } }`,
  `policy "${kind} path" { ${kind} = { tool = ["Edit", "Ba*"], path = "src/**" } }`,
  `policy "${kind} mcp" { ${kind} = { tool = "mcp__*" } }`,
]);
const answer = `policy "answer" { answer = { source = "question", question = "*", option = "npm" } }`;
const { policies, irreversible } = policiesIn(
  [...blocks, ...others, answer, GENEROUS, `irreversible "x" { command = "echo irreversible" }`].join("\n"),
);

/** By hand, for what the lists have none of. */
const LINES = [
  ...["/usr/bin/git push -f", "GIT push", "git -C web push", "npm pub", "git -c a.b=c push", "\\git push"],
  ...["cat a | sort", "cat a | sort | sh", "A=1 git push", "A=1", "", "echo irreversible", "sudo git push"],
  ...[
    "npm --workspace web run x",
    "npm i",
    "npm install",
    "npm test",
    "rm -r -f x",
    "rm --recursive --force x",
  ],
  ...[
    "kubectl --namespace prod delete x",
    "docker image push x",
    "ls -a -l",
    "ls -la",
    "git 'push'",
    "$x push",
  ],
];

const callOf = (given: { tool: string; input: unknown }) => {
  const call = readCall(given, PLACE);
  const real = new Map(wantedPaths(call).map((it) => [it, it.includes("..") ? null : it]));
  return { call, place: { ...PLACE, real } };
};

/** The findings that fit, judged one and all, and by those alone that may fit. */
function compared(given: { tool: string; input: unknown }): { all: string[]; quick: string[] } {
  const { call, place } = callOf(given);
  const words = (it: ReturnType<typeof judgeCall>[number]) => `${it.policy.name}: ${it.why} (${it.weight})`;
  const all = judgeCall(policies, call, place, irreversible).filter((it) => it.fits);
  return { all: all.map(words), quick: fittingCall(policies, call, place, irreversible).map(words) };
}

const lines = [...LINES, ...Object.values(EVASIONS).flat(), ...INCIDENTS];

describe("policies that may fit a call", () => {
  it("are never fewer than those that fit, in the same order and for the same reason: the corpus", () => {
    let fits = 0;
    for (const command of lines) {
      const { all, quick } = compared({ tool: "Bash", input: { command } });
      assert.deepEqual(quick, all, command);
      fits += all.length;
    }
    assert.ok(fits > 1000, `${fits} fit`);
  });

  it("are never fewer than those that fit: random lines", () => {
    const make = lineMaker(17);
    for (let n = 0; n < 600; n++) {
      const command = make();
      const { all, quick } = compared({ tool: "Bash", input: { command } });
      assert.deepEqual(quick, all, command);
    }
  });

  it("are never fewer than those that fit: other tools", () => {
    for (const given of [
      { tool: "Edit", input: { file_path: "/shop/src/a.ts" } },
      { tool: "mcp__db__query", input: {} },
      { tool: "Bash", input: {} },
      { tool: "", input: null },
    ]) {
      const { all, quick } = compared(given);
      assert.deepEqual(quick, all, given.tool);
    }
  });

  it("are few", () => {
    const many = policiesIn(
      Array.from(
        { length: 200 },
        (_, n) => `policy "p${n}" { deny = { tool = "Bash", command = ["git sub${n} **", "tool${n} **"] } }`,
      ).join("\n"),
    );
    const { call } = callOf({ tool: "Bash", input: { command: "git diff && git sub7 x && /bin/tool9" } });
    const left = many.policies.filter(mayFit(call));
    assert.deepEqual(left.map((it) => it.name).sort(), ["p7", "p9"]);
  });
});
