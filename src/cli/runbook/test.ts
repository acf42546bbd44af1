/** `oj runbook test`: plays the project's tests of its runbooks. Nothing is run, nobody is asked. */
import { formatDuration } from "../../core/text/duration.ts";
import { count } from "../../inbox/card/words.ts";
import { hang } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { TestReport, TestRun } from "../../trial/main.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { junit } from "./junit.ts";
import { placeOf } from "./place.ts";
import { renderProblem } from "./problem.ts";
import { storyLines } from "./story.ts";

export const command = defineCommand({
  name: "runbook test",
  summary: "Run the tests in .oj/tests, in virtual time",
  args: "[NAME…]",
  flags: { output: { type: "string", short: "o", value: "json|junit|text", help: "what to print" } },
  formats: ["junit"],
  examples: [
    { run: "oj runbook test", does: "all of them; exit 1 if one fails or can't be read" },
    { run: 'oj runbook test "the gate fails twice"', does: "one, by its name; or a file, by its path" },
    { run: "oj runbook test -o junit > report.xml", does: "for CI" },
  ],

  async run(context, names, flags) {
    const { config, json, out } = context;
    const { test } = await import("../../trial/main.ts");
    const run = await test(placeOf(config), names);
    const failed = run.tests.some((it) => !it.ok) || run.problems.length > 0 || run.tests.length === 0;
    if (json) out.json(run);
    else if (flags.output === "junit") out.print(junit(run));
    else report(context, run);
    return failed ? 1 : 0;
  },
});

function report({ out }: Context, { tests, problems }: TestRun): void {
  const { style, width } = out;
  for (const problem of problems) out.print(`${renderProblem(problem, style, width)}\n`);
  for (const it of tests) for (const line of testLines(it, out)) out.print(line);
  if (tests.length === 0 && problems.length === 0) {
    out.print("there are no tests in .oj/tests");
    out.say(`  ${style.cyan("→")} oj init`);
    return;
  }
  const bad = tests.filter((it) => !it.ok).length;
  const unread = problems.length > 0 ? `, ${count(problems.length, "problem")}` : "";
  out.print(`${count(tests.length, "test")}, ${bad === 0 ? "none" : bad} failed${unread}`);
}

function testLines(
  { name, file, line, ok, problem, took_ms, timeline }: TestReport,
  out: Context["out"],
): string[] {
  const { style, width } = out;
  if (ok) return [`${style.green("✓")} ${safeLine(name)}  ${style.dim(formatDuration(took_ms))}`];
  return [
    `${style.red("✗")} ${style.bold(safeLine(name))}  ${style.dim(`${safeLine(file)}:${problem?.line ?? line}`)}`,
    ...(problem?.text ?? "").split("\n").flatMap((it) => hang("    ", safeLine(it), width)),
    "",
    ...storyLines(timeline, out, false),
    ...(timeline.length > 0 ? [""] : []),
  ];
}
