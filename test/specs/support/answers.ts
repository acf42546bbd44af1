/** A table of answers to one kind of question: each is given on a job and on a crew, all at once. */
import assert from "node:assert/strict";
import type { Decision, Run, Stage } from "./agents.ts";
import { lastLinesOf } from "./last-lines.ts";

export interface Row {
  /** The command line's words after `oj decision resolve ID`. */
  words: string[];
  /** What must have come of it. */
  effect(run: Run, decision: Decision): Promise<void> | void;
}

/** `printed`: what the terminal showed. A question does not wait for a terminal that hangs, so not every card has it. */
export async function giveEach(
  stage: Stage,
  name: string,
  source: string,
  check: (decision: Decision, run: Run) => void,
  rows: Row[],
  printed = "",
): Promise<void> {
  const contexts: string[] = [];
  const one = async (kind: "job" | "crew", { words, effect }: Row) => {
    const run = kind === "job" ? await stage.job(name) : await stage.crew(name);
    const decision = await run.asked(source);
    assert.equal(decision.owner.id, run.owner);
    const where =
      kind === "job" ? `step "work" of ${name} (${run.owner})` : `crew ${name}-crew (${run.owner})`;
    assert.ok(decision.context.includes(`Agent ${name} (${run.agent}), ${where}`), decision.context);
    assert.match(run.status(), /:waiting$/);
    contexts.push(decision.context);
    check(decision, run);
    const taken = await run.answer(decision, ...words);
    const isDismissed = taken.state === "dismissed";
    assert.equal(taken.delivery.state, isDismissed ? "none" : "acknowledged");
    assert.equal(taken.answer?.by, "ana");
    await effect(run, taken);
    assert.equal(times(stage, "decision:delivered", decision.id) <= 1, true, "delivered more than once");
  };
  await Promise.all(rows.flatMap((row) => [one("job", row), one("crew", row)]));
  const output = contexts.map((it) => lastLinesOf(it) ?? "");
  assert.ok(
    output.some((it) => it.includes(printed)),
    output.join("\n\n"),
  );
}

function times(stage: Stage, type: string, id: string): number {
  return stage.events.filter((it) => it.type === type && it.id === id).length;
}

/** The run ends like this, and its terminal with it; a completed job has gone through all its steps. */
export function ends(how: "completed" | "cancelled" | "failed", heard: string[] = []) {
  return async (run: Run): Promise<void> => {
    assert.equal(await run.ended(), how);
    assert.deepEqual(
      run.heard().map((it) => it.trim()),
      heard,
    );
    await run.until(() => run.events("agent:ended").length === 1, "the session's end");
    if (run.owner.startsWith("job-") && how === "completed")
      assert.deepEqual(run.steps(), ["before", "work", "after"]);
  };
}

/** Nothing happens: the owner waits, the agent hears nothing; when a person sends a message, it runs to its end. */
export async function stays(run: Run): Promise<void> {
  assert.match(run.status(), /:waiting$/);
  assert.deepEqual(run.heard(), []);
}

export function labels(decision: Decision): string[] {
  return decision.options.map((it) => `${it.label}${it.recommended ? "★" : ""}`);
}
