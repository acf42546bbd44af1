/**
 * The port `readScripts` in memory: it reports the problems that a test has set. Passes the contract of reading
 * scripts.
 */
import type { ReadScripts, ScriptProblem } from "../../src/core/script/script-check.ts";

export interface FakeReadScripts extends ReadScripts {
  /** Script → what is wrong with it. */
  problems: Map<string, ScriptProblem>;
}

export function fakeReadScripts(): FakeReadScripts {
  const problems = new Map<string, ScriptProblem>();
  const read: ReadScripts = async (scripts) => scripts.map((it) => problems.get(it) ?? null);
  return Object.assign(read, { problems });
}
