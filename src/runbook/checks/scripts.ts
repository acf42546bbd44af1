/**
 * Checks that each value in a runbook's scripts is where it can't become syntax. core/script/check.ts knows how to
 * tell.
 */

import { scriptProblems } from "../../core/script/check.ts";
import { references } from "../../core/script/interpolate.ts";
import type { Project } from "../build/project.ts";
import { agentTexts, stepTexts, textAt } from "../build/scripts.ts";
import type { Report } from "../hcl/source.ts";
import type { Block, Entry, Text } from "../hcl/syntax.ts";
import { blocksIn, entriesOf, spanIn, textsIn, valueIn } from "../hcl/syntax.ts";
import { isTooNested } from "./references.ts";

export function checkScripts(project: Project): void {
  for (const { commands, jobs, agents, report } of project.files) {
    for (const { block } of commands) check(textAt(valueIn(block, "run")), [], report);
    for (const { block } of jobs)
      for (const step of blocksIn(block, "step")) check(stepTexts(step), filledIn(step), report);
    for (const { block } of agents) checkAgent(block, report);
  }
}

/** An agent's gates and prime lines run later, with the variables as they were when it started. */
function checkAgent(agent: Block, report: Report): void {
  const env = filledIn(agent);
  const { start, later } = agentTexts(agent);
  check(start, env, report);
  check(later, env, report, true);
}

/** The environment variables that are set from values. */
function filledIn(block: Block): Entry[] {
  return entriesOf(block, "env").filter(({ value }) =>
    textsIn(value).some((it) => !isTooNested(it.value) && references(it.value).length > 0),
  );
}

function check(texts: Text[], env: Entry[], report: Report, isLate = false): void {
  const names = env.map((it) => it.key);
  for (const text of texts) {
    if (isTooNested(text.value)) continue; // reported by runbook/checks/references.ts
    for (const { at, message, hint } of scriptProblems(text.value, names, isLate)) {
      const place =
        "variable" in at
          ? env.find((it) => it.key === at.variable)?.value.at
          : spanIn(text, at.start, at.end);
      report(place ?? text.at, message, hint);
    }
  }
}
