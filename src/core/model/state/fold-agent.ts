/** How facts change agents and crews. Only folds. */
import type { AgentFact, CrewFact } from "../agent-facts.ts";
import type { Agent, Crew, Parcel } from "../agent-types.ts";
import type { Stamp } from "../events.ts";
import type { Changing } from "../fixed.ts";

/** How many failures of gates an agent's record keeps. */
const MOST_FAILURES = 10;

type Created = Extract<AgentFact, { type: "agent:created" }>;

export function newAgent(fact: Created & Stamp): Agent {
  const { id, project, name, kind, def, command, owner, cwd, root, conversation, at_ms } = fact;
  return {
    id,
    project,
    name,
    kind,
    def,
    command,
    owner,
    cwd,
    root,
    conversation,
    transcript: null,
    status: "starting",
    incarnation: 1,
    spawned: false,
    prompt: null,
    decision_id: null,
    outbox: [],
    attempts: {},
    cooling: null,
    gate: null,
    last_message: "",
    error: null,
    exit: null,
    notes: [],
    silent: null,
    hung_since_ms: null,
    stopping: null,
    created_at_ms: at_ms,
    changed_at_ms: at_ms,
  };
}

/** Facts that change what the agent is doing; the others leave `changed_at_ms` alone. */
const CHANGES = /^agent:(spawned|working|idle|prompted|errored|exited|restarting|ended)$/;

export function foldAgent(agent: Changing<Agent>, fact: Exclude<AgentFact, Created> & Stamp): void {
  if (fact.type === "agent:refused" || fact.type === "agent:keyed") return; // these change nothing in the agent
  if (CHANGES.test(fact.type)) {
    agent.changed_at_ms = fact.at_ms;
    agent.hung_since_ms = null;
  }
  switch (fact.type) {
    case "agent:spawned":
      agent.spawned = true;
      agent.exit = null;
      if (agent.status === "starting") agent.status = "working"; // otherwise it reported before this was recorded
      return;
    case "agent:conversing":
      agent.conversation = fact.conversation;
      agent.transcript = fact.transcript;
      return;
    case "agent:working":
      agent.status = "working";
      agent.prompt = null;
      agent.error = null;
      agent.cooling = null;
      return;
    case "agent:idle":
      agent.status = "idle";
      leaveDialog(agent);
      agent.last_message = fact.last_message || agent.last_message;
      return;
    case "agent:prompted":
      agent.status = "prompting";
      agent.prompt = fact.prompt;
      return;
    case "agent:errored":
      agent.status = "errored";
      leaveDialog(agent);
      agent.error = { kind: fact.kind, message: fact.message };
      return;
    case "agent:exited":
      agent.status = "exited";
      agent.spawned = false;
      agent.prompt = null;
      agent.exit = { code: fact.code, signal: fact.signal };
      agent.cooling = null;
      // A dialog dies with its agent; the answer is told in words when the agent comes back.
      agent.outbox = agent.outbox.map(({ shown: _, told: __, ...it }) => ({
        ...it,
        state: "owed",
        reply: null,
        prompt_key: null,
      }));
      if (agent.stopping === "restart") begin(agent);
      if (agent.stopping === "kill") agent.stopping = null;
      return;
    case "agent:asked":
      agent.decision_id = fact.decision_id;
      agent.failure = fact.failure ?? null;
      agent.cooling = null;
      return;
    case "agent:owed":
      agent.outbox = fact.parcel.task ? [fact.parcel, ...agent.outbox] : [...agent.outbox, fact.parcel];
      return;
    case "agent:delivered":
      agent.outbox = agent.outbox.map((it) =>
        it.id === fact.parcel_id
          ? { ...it, state: "delivered", attempts: fact.attempt, ...(fact.told ? { told: true } : {}) }
          : it,
      );
      return;
    case "agent:saying":
      agent.outbox = agent.outbox.map((it) => (it.id === fact.parcel_id ? { ...it, shown: fact.shown } : it));
      return;
    case "agent:unsure":
      agent.outbox = agent.outbox.map(({ told, ...it }) =>
        it.id === fact.parcel_id ? { ...it, state: "owed" } : { ...it, ...(told ? { told } : {}) },
      );
      return;
    case "agent:replied":
      agent.outbox = agent.outbox.map((it) => (it.id === fact.parcel_id ? remark(it, fact.text) : it));
      return;
    case "agent:received":
    case "agent:missed":
      agent.outbox = agent.outbox.filter((it) => it.id !== fact.parcel_id);
      return;
    case "agent:tried":
      agent.attempts = {
        ...agent.attempts,
        [fact.key]: { used: (agent.attempts[fact.key]?.used ?? 0) + 1, at_ms: fact.at_ms },
      };
      agent.cooling = null;
      return;
    case "agent:cooling":
      agent.cooling = { trigger: fact.trigger, from_ms: fact.at_ms, until_ms: fact.until_ms };
      return;
    case "agent:gating":
      agent.gate = fact.gate;
      agent.cooling = null;
      return;
    case "agent:gated": {
      const key = agent.gate?.key;
      if (key !== undefined)
        agent.attempts = {
          ...agent.attempts,
          [key]: { used: agent.attempts[key]?.used ?? 0, at_ms: fact.at_ms },
        };
      if (fact.failed)
        agent.gate_failures = [
          ...(agent.gate_failures ?? []),
          { ...fact.failed, key: key ?? null, at_ms: fact.at_ms },
        ].slice(-MOST_FAILURES);
      agent.gate = null;
      return;
    }
    case "agent:reset":
      agent.attempts = {};
      agent.cooling = null;
      return;
    case "agent:restarting":
      if (agent.spawned) agent.stopping = "restart";
      else begin(agent);
      return;
    case "agent:killing":
      agent.stopping = "kill";
      return;
    case "agent:ending":
      agent.stopping = "end";
      agent.cooling = null;
      agent.gate = null;
      agent.outbox = [];
      return;
    case "agent:ended":
      agent.status = "ended";
      agent.spawned = false;
      agent.stopping = null;
      agent.prompt = null;
      return;
    case "agent:noted":
      agent.notes = [...(agent.notes ?? []), fact.note]; // an older snapshot may not have them
      return;
    case "agent:silent":
      agent.silent = { off: fact.off, by: fact.by };
      return;
    case "agent:hung":
      agent.hung_since_ms = fact.at_ms - fact.quiet_ms;
      return;
    case "agent:reporting":
      agent.silent = null;
      return;
    case "agent:signalled":
      return;
  }
}

/** What is left to tell of an answer once the dialog has it. */
function remark({ id, decision_id, prompt_key }: Parcel, text: string): Parcel {
  const beside = prompt_key === null ? {} : { beside: prompt_key };
  return { id, decision_id, prompt_key: null, reply: null, text, state: "owed", attempts: 0, ...beside };
}

/** The dialog is gone, and with it whatever was planned about it. */
function leaveDialog(agent: Changing<Agent>): void {
  agent.prompt = null;
  if (agent.cooling?.trigger === "on_prompt") agent.cooling = null;
}

function begin(agent: Changing<Agent>): void {
  agent.stopping = null;
  agent.status = "starting";
  agent.incarnation += 1;
  agent.error = null;
  agent.exit = null;
  agent.notes = [];
  agent.silent = null;
}

export function newCrew(fact: Extract<CrewFact, { type: "crew:created" }> & Stamp): Crew {
  const { type: _, seq: __, at_ms, ...rest } = fact;
  return { ...rest, status: "running", error: null, created_at_ms: at_ms, finished_at_ms: null };
}

export function foldCrew(
  crew: Changing<Crew>,
  fact: Exclude<CrewFact, { type: "crew:created" }> & Stamp,
): void {
  switch (fact.type) {
    case "crew:waiting":
      crew.status = "waiting";
      crew.decision_id = fact.decision_id;
      return;
    case "crew:resumed":
      crew.status = "running";
      crew.error = null;
      crew.finished_at_ms = null;
      crew.agent_id = fact.agent_id ?? crew.agent_id;
      return;
    case "crew:completed":
      crew.status = "completed";
      crew.finished_at_ms = fact.at_ms;
      return;
    case "crew:cancelled":
      crew.status = "cancelled";
      crew.reason = fact.reason ?? `by ${fact.by}`;
      crew.cancelled_by = fact.by;
      crew.finished_at_ms = fact.at_ms;
      return;
    case "crew:failed":
      crew.status = "failed";
      crew.error = fact.error;
      crew.finished_at_ms = fact.at_ms;
      return;
    case "crew:seen":
    case "crew:deleted":
    case "crew:purged":
      return; // handled in `state.ts`
  }
}
