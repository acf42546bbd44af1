/** People, scripts and requesters: they start work, ask, answer everywhere at once, change their minds and give up. */
import { sendToAgent } from "../../src/core/control/agent-send.ts";
import { cancelCrew } from "../../src/core/control/crew.ts";
import { cancelJob, startJob } from "../../src/core/control/job.ts";
import { acknowledge, cancelDecision, deliver } from "../../src/core/decision/decision.ts";
import { holdAnswer, resolveDecision } from "../../src/core/decision/give.ts";
import { undoAnswer } from "../../src/core/decision/undo.ts";
import { startCrew } from "../../src/core/flow/agent-start.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Event } from "../../src/core/model/events.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { hasEnded } from "../../src/core/model/job-types.ts";
import type { AgentDef } from "../../src/core/model/runbook.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import type { Rule } from "../../src/daemon/engine/engine.ts";
import { agentDef } from "../fakes/agents.ts";
import { asker, jobDef, jobInput, requestInput } from "../fakes/core.ts";
import type { Simulated } from "./daemon.ts";
import type { Ledger } from "./ledger.ts";
import { Violation } from "./ledger.ts";
import type { Time } from "./time.ts";

export interface World {
  time: Time;
  ledger: Ledger;
  /** A daemon that serves, or null. */
  daemon(): Simulated | null;
  failed(error: unknown): void;
}

const MOST_OWNERS = 5;
/** What gates run. It changes nothing, so one that was interrupted runs again. */
export const GATE = "make check";

export function startPeople(world: World) {
  const { time, ledger } = world;
  let count = 0;

  /** As a route would: null if it was refused, or if the daemon died before it could answer. */
  async function ask(what: string, rule: Rule): Promise<Event[] | null> {
    const daemon = world.daemon();
    if (!daemon) return null;
    await time.sleep(time.span(0, 3), what);
    try {
      return await daemon.engine.run(rule);
    } catch (error) {
      if (error instanceof Refusal) return null;
      world.failed(new Violation("rules refuse, and never throw", `${what}: ${(error as Error).stack}`));
      return null;
    }
  }

  function pending(): Decision[] {
    const state = world.daemon()?.state;
    return state ? [...state.pending].flatMap((id) => state.decisions.get(id) ?? []) : [];
  }

  function drawnAnswer({ id, options, questions }: Decision) {
    const by = `p${++count}`;
    const option = options.length > 0 ? time.one(options) : null;
    const needsWords = option && ["other", "revise", "reply"].includes(option.action.type);
    const message = needsWords || time.odds(30) ? `words w${count}w` : null;
    const base = { id, text: null, by, via: "cli" as const };
    if (questions.length > 1) return { ...base, choices: questions.map(() => [1]), message };
    return option
      ? { ...base, choices: [], option: option.key, message }
      : { ...base, choices: [], message: message ?? `words w${count}w` };
  }

  /** Several people answer the same decision at the same time. */
  function answer(decision: Decision, most = 3): void {
    const { id } = decision;
    for (let left = 1 + time.chance.pick(most); left > 0; left--) {
      const input = drawnAnswer(decision);
      if (time.odds(20)) {
        void ask(`${input.by} holds an answer to ${id}`, (state, moment) =>
          holdAnswer(state, { ...input, delay_ms: 5000 }, moment),
        );
        if (time.odds(40))
          time.after(time.span(100, 6000), `${input.by} takes it back`, () => {
            void ask("undo", (state, moment) => undoAnswer(state, { id, by: input.by }, moment));
          });
        continue;
      }
      void ask(`${input.by} answers ${id}`, (state, moment) => resolveDecision(state, input, moment)).then(
        (events) => {
          if (events) guarded(() => ledger.told(id, input.by));
        },
      );
    }
  }

  function guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      world.failed(error);
    }
  }

  function request(): void {
    const name = `bot-${count++}`;
    const overdue = time.odds(30)
      ? { escalation: null, deadline_ms: time.span(5000, 600_000), default: time.odds(50) ? "1" : null }
      : undefined;
    const input = requestInput({
      requester: asker(name, { is_agent: false }),
      prompt: `Question ${count}?`,
      auto_close_ms: time.odds(20) ? time.span(10_000, 200_000) : null,
      ...(overdue ? { overdue } : {}),
    });
    void ask(`${name} asks`, (state, moment) => requestDecision(state, input, moment)).then((events) => {
      const id = events?.find((it) => it.type === "decision:created")?.id as DecisionId | undefined;
      if (id) void awaited(id, name);
    });
  }

  /** The requester waits, fetches the answer and says that it has it; or takes the request back. */
  async function awaited(id: DecisionId, name: string): Promise<void> {
    for (;;) {
      await time.sleep(time.span(2000, 20_000), `${name} waits`);
      const decision = world.daemon()?.state.decisions.get(id);
      if (!decision) continue; // nobody is there, or this one has not heard of it yet
      if (decision.delivery.state === "acknowledged") return;
      if (decision.state === "pending") {
        if (time.odds(2))
          await ask(`${name} takes it back`, (state, moment) =>
            cancelDecision(state, { id, by: name, reason: null }, moment),
          );
        continue;
      }
      if (!decision.answer) return;
      await ask(`${name} fetches`, (state, moment) => deliver(state, { id }, moment));
      await ask(`${name} has it`, (state, moment) => acknowledge(state, { id }, moment));
    }
  }

  /** What a runbook may say about an agent that stops, dies or meets an error. */
  function triggers(): Partial<AgentDef> {
    const gate = { action: "gate", run: GATE, attempts: 2 } as const;
    const idle = time.one([null, null, { action: "nudge", attempts: 2 }, gate, { action: "done" }] as const);
    const dead = time.one([null, null, { action: "resume", attempts: 2 }, gate, { action: "fail" }] as const);
    const error = time.one([null, { action: "nudge", attempts: 2 }, { action: "escalate" }] as const);
    return {
      ...(idle ? { on_idle: idle } : {}),
      ...(dead ? { on_dead: dead } : {}),
      ...(error ? { on_error: [error] } : {}),
    };
  }

  function begin(): void {
    const state = world.daemon()?.state;
    if (!state) return;
    const open = [...state.jobs.values(), ...state.crews.values()].filter((it) => !hasEnded(it)).length;
    if (open >= MOST_OWNERS) return;
    const n = ++count;
    const def = agentDef(triggers());
    const more = { project: "shop", root: "/simulated/shop", by: "ana" } as const;
    if (time.odds(50)) {
      const crew = {
        ...more,
        id: `crew-${n}` as const,
        name: `c${n}`,
        def,
        args: {},
        env: {},
        invoke: more.root,
      };
      void ask(`ana starts crew-${n}`, (it, moment) => startCrew(it, crew, moment));
      return;
    }
    const job = jobInput(
      jobDef({
        prepare: { run: "true" },
        build: { run: { type: "agent", agent: "builder" } },
        ship: { decision: {} },
        after: { run: "true" },
      }),
      { ...more, invoke: more.root, library: { jobs: {}, agents: { builder: def }, templates: {} } },
    );
    void ask(`ana starts job-${n}`, (it, moment) => startJob(it, { ...job, id: `job-${n}` }, moment));
  }

  function interfere(): void {
    const state = world.daemon()?.state;
    if (!state) return;
    const agents = [...state.agents.values()].filter((it) => it.status !== "ended");
    const agent = agents.length > 0 ? time.one(agents) : null;
    if (agent && time.odds(60)) {
      const text = `Mind w${++count}w, please.`;
      void ask(`ana tells ${agent.id}`, (it, moment) => sendToAgent(it, { id: agent.id, text }, moment));
    } else if (agent && time.odds(25)) end(agent.owner.id);
  }

  function end(id: string): void {
    const by = { id, by: "ana", reason: null };
    void ask(`ana cancels ${id}`, (it, moment) =>
      (id.startsWith("job-") ? cancelJob : cancelCrew)(it, by, moment),
    );
  }

  return {
    /** One thing that somebody does. */
    act(): void {
      const asked = pending();
      const what = time.chance.pick(10);
      if (what < 5 && asked.length > 0) answer(time.one(asked));
      else if (what < 7) request();
      else if (what < 9) begin();
      else interfere();
    },
    /** When all is calm: one person answers what is asked, and whatever still runs is ended. */
    finish(): boolean {
      const state = world.daemon()?.state;
      if (!state) return false;
      const asked = pending().filter((it) => !it.held);
      for (const it of asked) answer(it, 1);
      const owners = [...state.jobs.values(), ...state.crews.values()].filter((it) => !hasEnded(it));
      for (const it of owners) end(it.id);
      return pending().length === 0 && owners.length === 0;
    },
  };
}
