/** Agents for tests of rules: short definitions, and observations of them. */
import type { Observation } from "../../src/core/agent/agent.ts";
import { observe } from "../../src/core/agent/agent.ts";
import { resolveDecision } from "../../src/core/decision/give.ts";
import { startCrew } from "../../src/core/flow/agent-start.ts";
import type { Agent, Parcel, Prompt } from "../../src/core/model/agent-types.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import type { AgentId, JobId } from "../../src/core/model/ids.ts";
import type { AgentDef } from "../../src/core/model/runbook.ts";
import { wordsSaid, wordsTold } from "../../src/core/outbox/delivery.ts";
import { owed } from "../../src/core/owed.ts";
import type { World } from "./core.ts";
import { jobDef, world } from "./core.ts";

export function agentDef(more: Partial<AgentDef> = {}): AgentDef {
  return {
    name: "builder",
    run: "claude",
    prompt: "Build it",
    env: {},
    prime: {},
    prompts: [],
    path: "x",
    line: 1,
    ...more,
  };
}

/** A job with two steps, the first of which is an agent at work. */
export function agentAtWork(more: Partial<AgentDef> = {}): AgentWorld {
  return atWork(comingAgent(more));
}

/** A crew's agent at work. */
export function crewAtWork(more: Partial<AgentDef> = {}): AgentWorld {
  return atWork(comingCrew(more));
}

function atWork(agent: AgentWorld): AgentWorld {
  agent.seen({ type: "spawned", incarnation: 1 });
  return agent;
}

/** The same job, before it is known that its agent has started. */
export function comingAgent(more: Partial<AgentDef> = {}): AgentWorld {
  const it = world();
  const builder = agentDef(more);
  const job = it.start(jobDef({ build: { run: { type: "agent", agent: "builder" } }, after: {} }), {
    library: { jobs: {}, agents: { builder }, templates: {} },
  });
  return wrap(it, job);
}

export function comingCrew(more: Partial<AgentDef> = {}): AgentWorld {
  const it = world();
  it.play((state, moment) =>
    startCrew(
      state,
      {
        id: "crew-1",
        project: "shop",
        name: "helper",
        def: agentDef(more),
        args: {},
        env: {},
        invoke: "/home",
        root: "/home",
        by: "ana",
      },
      moment,
    ),
  );
  return wrap(it, null);
}

function wrap(it: World, job: JobId | null): AgentWorld {
  const id = [...it.state.agents.keys()][0] as AgentId;
  const seen = (what: Observation) => it.play((state, moment) => observe(state, { id, seen: what }, moment));
  return {
    it,
    id,
    job: () => (job ? it.job(job) : null),
    crew: () => it.state.crews.get("crew-1") ?? null,
    agent: () => it.state.agents.get(id) as Agent,
    seen,
    pending: () => it.pending().map((one) => it.state.decisions.get(one as Decision["id"]) as Decision),
    answer(key, more = {}) {
      const decision = it.state.decisions.get(it.pending()[0] as Decision["id"]);
      if (!decision) throw new Error("nothing is pending");
      it.play((state, moment) =>
        resolveDecision(
          state,
          {
            id: decision.id,
            choices: [],
            option: key,
            text: null,
            message: null,
            by: "ana",
            via: "cli",
            ...more,
          },
          moment,
        ),
      );
      return it.state.decisions.get(decision.id) as Decision;
    },
    decision: (one) => it.state.decisions.get(one) as Decision,
    deliver(told) {
      const { incarnation, outbox } = it.state.agents.get(id) as Agent;
      const [parcel] = outbox;
      if (!parcel) throw new Error("nothing is owed");
      it.play((state, moment) =>
        told
          ? wordsTold(state, { id, incarnation, parcel_ids: [parcel.id] }, moment)
          : wordsSaid(state, { id, incarnation, parcel_id: parcel.id, read: false }, moment),
      );
      return parcel;
    },
  };
}

export interface AgentWorld {
  it: World;
  id: AgentId;
  job(): ReturnType<World["job"]> | null;
  crew(): { status: string } | null;
  agent(): Agent;
  seen(what: Observation): unknown;
  pending(): Decision[];
  /** Answers the oldest pending decision by the option's key. */
  answer(
    key: string | null,
    more?: { text?: string; message?: string; choices?: number[][]; input?: unknown },
  ): Decision;
  decision(id: Decision["id"]): Decision;
  /** The adapter delivers the first parcel; with `told`, in the response to a hook. */
  deliver(told?: true): Parcel;
}

export const approval: Prompt = {
  key: "tool-1",
  kind: "approval",
  tool: "Bash",
  input: { command: "rm x" },
  sha256: "abc",
  questions: [],
  choices: [],
};
export const plan: Prompt = {
  ...approval,
  key: "tool-2",
  kind: "plan",
  tool: "ExitPlanMode",
  input: { plan: "# Do it" },
};
export const question: Prompt = {
  ...approval,
  key: "tool-3",
  kind: "question",
  tool: "AskUserQuestion",
  input: {},
  questions: [
    {
      question: "Which database?",
      header: "DB",
      multi_select: false,
      options: [
        { label: "Postgres", description: null },
        { label: "SQLite", description: null },
      ],
    },
  ],
};
export const questions: Prompt = {
  ...question,
  key: "tool-4",
  questions: [
    ...question.questions,
    {
      question: "Which features?",
      header: null,
      multi_select: true,
      options: ["Auth", "Search", "Export"].map((label) => ({ label, description: null })),
    },
  ],
};

/** An observation of an agent, with the last lines of its screen. */
export const tail = "line 1\nline 2";
/** The agent shows this dialog and waits. */
export const prompted = (prompt: Prompt, more: { last_message?: string } = {}) =>
  ({ type: "prompted", prompt, tail, ...more }) as const;
export const stopped = { type: "stopped", last_message: "I think I am finished.", tail } as const;
export const exited = { type: "exited", incarnation: 1, code: 1, signal: null, error: null, tail } as const;
export const errored = { type: "errored", kind: "rate_limited", message: "429", tail } as const;

/** The chores that are due in this state, for this agent and everybody else. */
export const due = (state: Parameters<typeof owed>[0]) => owed(state).map((it) => it.type);
