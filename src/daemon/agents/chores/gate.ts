/** Runs the gates of agents. */
import { agentGateEnded } from "../../../core/agent/agent.ts";
import { failuresOf } from "../../../core/agent/gate-history.ts";
import { failureFinder } from "../../../core/failure/failing-lines.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentEffect } from "../../../core/model/effects.ts";
import type { RunId } from "../../../core/model/ids.ts";
import type { State } from "../../../core/model/state/state.ts";
import type { Recorder } from "../../engine/chores.ts";
import { until } from "../../engine/until.ts";
import { lastMessageOf } from "../conversation/last-message.ts";
import { tailOf } from "../terminal/tail.ts";
import { folderChanges } from "./folder-changes.ts";
import type { AgentWorld } from "./world.ts";
import { environmentOf, identityOf } from "./world.ts";

const GATE_BYTES = 16_384;

export async function runGate(
  world: AgentWorld,
  agent: Agent,
  effect: Extract<AgentEffect, { type: "run-gate" }>,
  record: Recorder,
): Promise<void> {
  const { engine, ports } = world;
  const { run_id, timeout_ms, script, values, cwd, project } = effect;
  const job_id = effect.job_id ?? "job-gate";
  // a gate runs what the agent made (its tests, its scripts), so it runs with the agent's rights, not a person's
  const env = { ...(await environmentOf(world, agent)), ...(await identityOf(world, agent)) };
  const run = {
    job_id,
    project,
    step: "gate",
    run_id,
    purpose: "context",
    script,
    values,
    env: agent.def.env,
    cwd,
  } as const;
  await ports.shell.recover(run_id); // an earlier daemon may have left one running
  const finder = failureFinder();
  const decoder = new TextDecoder();
  const log = async (part: Buffer) => {
    finder.add(decoder.decode(part, { stream: true }));
    await ports.files.write(agent.owner.id, part);
  };
  const mark = await world.marks.of(agent.id);
  const running = ports.shell.run(run, {
    env,
    mark,
    timeoutMs: timeout_ms,
    keepBytes: GATE_BYTES,
    keep: "tail",
    oneStream: true, // what failed stands on one stream, what was tested on the other
    onOutput: log,
  });
  stopIfUnwanted(world, agent, effect);
  const outcome = await running;
  await ports.shell.forget(run_id);
  if (await engine.read((state) => isUnwanted(state, agent, run_id))) return;
  const passed = outcome.error === null && outcome.exit_code === 0;
  const prime = passed ? "" : await world.primer.text(agent, "signal");
  const tail = passed ? "" : await tailOf(ports, agent.id);
  const last_message = passed ? "" : await lastMessageOf(ports, agent, world.agentClientOf(agent), null);
  const failing = { text: finder.text(), reason: finder.reason() };
  const earlier = agent.gate ? failuresOf(agent, agent.gate) : [];
  const changes = passed
    ? null
    : await folderChanges(ports, run, { env, mark }, earlier.at(-1)?.tree ?? null);
  const { exit_code, error, output } = outcome;
  const ended = {
    id: agent.id,
    run_id,
    exit_code,
    error,
    output,
    failing,
    changes,
    prime,
    tail,
    last_message,
  };
  await record((state, moment) => agentGateEnded(state, ended, moment));
}

/** The agent's work is over, or another gate has taken its place: nothing is left for this one to decide. */
function isUnwanted(state: Readonly<State>, { id }: Agent, run_id: RunId): boolean {
  return state.agents.get(id)?.gate?.run_id !== run_id;
}

/** A gate doesn't outlive what it was run for. */
function stopIfUnwanted(
  { engine, ports }: AgentWorld,
  agent: Agent,
  { run_id, timeout_ms }: Extract<AgentEffect, { type: "run-gate" }>,
): void {
  const { id, owner } = agent;
  until(engine, ports.clock, {
    isSo: (state) => isUnwanted(state, agent, run_id),
    by: (event) => "id" in event && (event.id === id || event.id === owner.id),
    withinMs: timeout_ms,
  })
    .then((isOver) => (isOver ? ports.shell.stop(run_id) : undefined))
    .catch((error: Error) =>
      ports.journal.warn("a gate could not be stopped", { run_id, error: error.message }),
    );
}
