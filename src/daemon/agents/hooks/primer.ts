/** Makes the text that an agent gets when it starts or is sent back to work: the output of its `prime` lines. */

import { agentScope } from "../../../core/flow/agent-scope.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { RunId } from "../../../core/model/ids.ts";
import { idFrom } from "../../../core/model/ids.ts";
import type { PrimeSource } from "../../../core/model/runbook.ts";
import { shellText } from "../../../core/script/shell-text.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Marks } from "../../secrets/marks.ts";

export interface Primer {
  text(agent: Agent, source: PrimeSource): Promise<string>;
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 32_768;

export function startPrimer(
  engine: Engine,
  ports: Pick<Ports, "shell" | "random" | "journal">,
  envOf: (agent: Agent) => Promise<Readonly<Record<string, string>>>,
  marks: Marks,
): Primer {
  async function one(agent: Agent, line: string): Promise<string> {
    const text = await engine.read((state) => {
      try {
        return shellText(line, agentScope(state, agent));
      } catch (error) {
        return error as Error;
      }
    });
    if (text instanceof Error) return `(${text.message})`;
    const run_id: RunId = idFrom("run", ports.random(64));
    const run = {
      job_id: "job-prime",
      project: agent.project,
      step: "prime",
      run_id,
      purpose: "context",
      ...text,
      env: agent.def.env,
      cwd: agent.cwd,
    } as const;
    const outcome = await ports.shell.run(run, {
      env: await envOf(agent), // a line may run the agent's own work, so it gets the agent's rights
      mark: await marks.of(agent.id),
      timeoutMs: TIMEOUT_MS,
      keepBytes: MAX_BYTES,
      keep: "head",
      onOutput: async () => {},
    });
    await ports.shell.forget(run_id);
    if (outcome.error === null) return outcome.output;
    ports.journal.warn("a prime line failed", { agent_id: agent.id, line, error: outcome.error });
    return `${outcome.output}\n(this part is incomplete: ${outcome.error})`.trim();
  }

  return {
    async text(agent, source) {
      const parts: string[] = [];
      for (const line of agent.def.prime[source] ?? []) parts.push(await one(agent, line));
      return parts.filter((it) => it !== "").join("\n\n");
    },
  };
}
