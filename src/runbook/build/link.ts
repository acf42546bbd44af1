/** Puts each escalation where it is named, so that a job or an agent carries it along whatever becomes of the file. */
import type { EscalationDef } from "../../core/model/reach-types.ts";
import type { AgentDef, JobDef, Overdue, StepDef } from "../../core/model/runbook.ts";
import type { DeclaredEscalation } from "./overdue.ts";

export interface Linker {
  escalations: EscalationDef[];
  said<T extends Overdue>(it: T): T;
  job(def: JobDef): JobDef;
  agent(def: AgentDef): AgentDef;
}

export function linker(declared: readonly DeclaredEscalation[]): Linker {
  const byName = new Map(declared.map(({ def: { path, line, ...def } }) => [def.name, def]));

  function said<T extends Overdue>(it: T): T {
    const chain = it.escalation === undefined ? undefined : byName.get(it.escalation);
    return chain ? { ...it, chain } : it;
  }

  function step(def: StepDef): StepDef {
    const { run } = def;
    return run.type === "decision" ? { ...def, run: { ...run, decision: said(run.decision) } } : def;
  }

  return {
    escalations: [...byName.values()],
    said,
    job: (def) => ({ ...def, ...inside(def, ["notify"]), steps: def.steps.map(step) }),
    agent: (def) => ({
      ...def,
      ...inside(def, ["notify", "on_idle", "on_dead", "on_prompt", "on_signal"]),
      ...(def.on_error ? { on_error: def.on_error.map(said) } : {}),
    }),
  };

  function inside<T extends object, K extends keyof T>(def: T, names: readonly K[]): Partial<T> {
    const found = names.filter((it) => def[it] !== undefined);
    return Object.fromEntries(found.map((it) => [it, said(def[it] as Overdue)])) as Partial<T>;
  }
}
