/** The script of a gate, filled in with its owner's current values. */

import type { Agent, Gate } from "../model/agent-types.ts";
import type { GateRun } from "../model/effects.ts";
import type { State } from "../model/state/state.ts";
import { shellText } from "../script/shell-text.ts";
import { agentScope } from "./agent-scope.ts";

export function gateRunOf(state: Readonly<State>, agent: Agent, gate: Gate): GateRun {
  const { run_id, timeout_ms } = gate;
  const text = filled(state, agent, gate.run);
  const job_id = agent.owner.kind === "job" ? agent.owner.id : null;
  return { project: agent.project, run_id, timeout_ms, cwd: agent.cwd, job_id, ...text };
}

/** A missing value must not keep other chores from being found: the gate fails and says so. */
function filled(
  state: Readonly<State>,
  agent: Agent,
  run: string,
): { script: string; values: Record<string, string> } {
  try {
    return shellText(run, agentScope(state, agent));
  } catch (error) {
    return { script: 'echo "$OJ_V0" >&2; exit 1', values: { OJ_V0: (error as Error).message } };
  }
}
