/** How erasing the texts of a decision changes the state: as if they had never been in the log. */
import type { Agent } from "../agent-types.ts";
import type { Decision } from "../decision-types.ts";
import type { ErasedFact, Stamp } from "../events.ts";
import type { Changing } from "../fixed.ts";
import type { AgentId, DecisionId, JobId } from "../ids.ts";
import type { Job } from "../job-types.ts";
import type { Entry, Queue, Recipient } from "../queue-types.ts";
import { ERASED, isSaid, keysOf, withoutTexts } from "./texts.ts";

/** A value that is opened is a copy in the place of the one that somebody was shown. */
interface Opens<K, V> {
  open(key: K): Changing<V> | undefined;
}

/** The tables of the state that have texts of decisions. */
interface Tables {
  decisions: Opens<DecisionId, Decision>;
  agents: Opens<AgentId, Agent>;
  jobs: Opens<JobId, Job>;
  queues: Opens<Recipient, Queue>;
}

export function foldErased(state: Tables, { id, by, at_ms }: ErasedFact & Stamp): void {
  const decision = state.decisions.open(id);
  if (!decision) return;
  const keys = keysOf(decision.options);
  const bare = <T>(value: T): T => withoutTexts(value, keys);
  const agent = decision.agent_id && state.agents.open(decision.agent_id);
  if (agent) eraseIn(agent, decision, bare);
  const { owner, recipient } = decision;
  const job = owner.kind === "job" && state.jobs.open(owner.id);
  if (job)
    job.steps = job.steps.map((it) =>
      it.decision_id === id && it.choice !== null
        ? { ...it, output: bare(it.output), choice: bare(it.choice) }
        : it,
    );
  const queue = recipient && state.queues.open(recipient);
  if (queue) eraseQueued(queue, id);
  Object.assign(decision, bare(decision), { erased: { by, at_ms } });
}

function eraseIn(agent: Changing<Agent>, decision: Decision, bare: <T>(value: T) => T): void {
  const { id, prompt_key, context } = decision;
  if (agent.prompt && prompt_key !== null && agent.prompt.key === prompt_key)
    agent.prompt = bare(agent.prompt);
  agent.outbox = agent.outbox.map((it) => (it.decision_id === id ? bare(it) : it));
  if (agent.decision_id === id && agent.failure) agent.failure = ERASED;
  if (isSaid(context, agent.last_message)) agent.last_message = ERASED;
  if (agent.error && isSaid(context, agent.error.message)) agent.error = { ...agent.error, message: ERASED };
}

function eraseQueued(queue: Changing<Queue>, id: DecisionId): void {
  const bare = (it: Entry): Entry => (it.decision_id === id ? { ...it, text: ERASED } : it);
  queue.entries = queue.entries.map(bare);
  queue.drains = queue.drains.map((it) => ({ ...it, entries: it.entries.map(bare) }));
}
