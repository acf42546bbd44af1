/** Every text of a runbook that bash will read, as bash will read it, and what bash says about it. */

import type { Lookup } from "../../core/script/interpolate.ts";
import type { ScriptProblem } from "../../core/script/script-check.ts";
import { shellText } from "../../core/script/shell-text.ts";
import type { Report, Span } from "../hcl/source.ts";
import type { Block, Text, Value } from "../hcl/syntax.ts";
import { blocksIn, entriesOf, spanIn, textsIn, valueIn } from "../hcl/syntax.ts";
import { TRIGGER_ACTIONS } from "./agent-objects.ts";
import type { Project } from "./project.ts";

export interface ScriptAt {
  script: string;
  text: Text;
  report: Report;
}

/** Steps, contexts, gates, primes, and how agents are started. */
export function scriptsOf({ files }: Project): ScriptAt[] {
  return files.flatMap(({ commands, jobs, agents, report }) => {
    const texts = [
      ...commands.flatMap(({ block }) => textAt(valueIn(block, "run"))),
      ...jobs.flatMap(({ steps }) => steps.flatMap(stepTexts)),
      ...agents.map(({ block }) => agentTexts(block)).flatMap(({ start, later }) => [...start, ...later]),
    ];
    return texts.flatMap((text) => {
      const script = asRun(text.value);
      return script === null ? [] : [{ script, text, report }];
    });
  });
}

/** Reports what bash said, at the line it named. */
export function reportScript({ text, report }: ScriptAt, { line, message }: ScriptProblem): void {
  report(lineIn(text, line), `bash can't parse this: ${message}`);
}

export function stepTexts(step: Block): Text[] {
  const asked = blocksIn(step, "decision").flatMap((it) => textAt(valueIn(it, "context")));
  return [...textAt(valueIn(step, "run")), ...asked];
}

/** The texts that start an agent, and those that run for it later. */
export function agentTexts(agent: Block): { start: Text[]; later: Text[] } {
  const gates = Object.keys(TRIGGER_ACTIONS).flatMap((name) => {
    const value = valueIn(agent, name);
    const inList = value?.type === "list" ? value.items.flatMap((it) => runIn(it)) : [];
    return [...inList, ...entriesOf(agent, name).flatMap((it) => (it.key === "run" ? textAt(it.value) : []))];
  });
  const prime = valueIn(agent, "prime");
  const primes = prime ? textsIn(prime) : entriesOf(agent, "prime").flatMap((it) => textsIn(it.value));
  return { start: textAt(valueIn(agent, "run")), later: [...gates, ...primes] };
}

function runIn(value: Value): Text[] {
  return value.type === "object"
    ? value.entries.flatMap((it) => (it.key === "run" ? textAt(it.value) : []))
    : [];
}

export function textAt(value: Value | undefined): Text[] {
  return value?.type === "string" ? [value] : [];
}

/**
 * Any value will do: values are never part of the script. Null if the text has a problem of its own, which is reported
 * elsewhere.
 */
function asRun(text: string): string | null {
  const anything: Lookup = () => "1";
  try {
    return shellText(text, anything).script;
  } catch {
    return null;
  }
}

function lineIn(text: Text, line: number | null): Span {
  const lines = text.value.split("\n");
  const index = Math.min(line ?? 1, lines.length) - 1;
  // an unexpected end of file is reported on the last line that is not blank
  const shown = lines.slice(0, index + 1).findLastIndex((it) => it.trim() !== "");
  const at = Math.max(0, shown);
  const before = lines.slice(0, at).reduce((sum, it) => sum + it.length + 1, 0);
  const own = lines[at] ?? "";
  const indent = own.length - own.trimStart().length;
  return own.trim() === "" ? text.at : spanIn(text, before + indent, before + own.length);
}
