/** The agents of a trial: their chores are done in virtual time, and each turn brings what its script says next. */

import { clients } from "../agents/known/clients.ts";
import type { Observation } from "../core/agent/agent.ts";
import { agentCooled, agentGateEnded, observe } from "../core/agent/agent.ts";
import { dialogAnswered } from "../core/agent/dialog.ts";
import { failureFinder } from "../core/failure/failing-lines.ts";
import type { Agent, Parcel, Prompt } from "../core/model/agent-types.ts";
import type { AgentEffect } from "../core/model/effects.ts";
import type { AgentId } from "../core/model/ids.ts";
import { wordsSaid, wordsTold } from "../core/outbox/delivery.ts";
import { canonical, sha256 } from "../core/text/hash.ts";
import type { Recorder } from "../daemon/engine/chores.ts";
import type { Engine } from "../daemon/engine/engine.ts";
import { ERROR_KINDS } from "../runbook/build/agent-objects.ts";
import type { Deed } from "../runbook/trials.ts";
import type { Behaviour } from "./script.ts";

/** How long a turn of an agent takes, and a gate. */
const TURN_MS = 10_000;
const GATE_MS = 1000;

export interface Cast {
  perform(effect: AgentEffect, record: Recorder): Promise<void>;
}

export function startCast(
  engine: Engine,
  behaviour: Behaviour,
  { pause, hungAfterMs }: { pause: (ms: number) => Promise<void>; hungAfterMs: number },
): Cast {
  /** Each beginning of a turn ends the one before: an agent does one thing at a time. */
  const turns = new Map<AgentId, number>();
  let prompts = 0;

  const saw = (id: AgentId, seen: Observation) =>
    engine.run((state, moment) => observe(state, { id, seen }, moment));
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);

  function beginTurn(id: AgentId): void {
    const turn = (turns.get(id) ?? 0) + 1;
    turns.set(id, turn);
    void takeTurn(id, turn);
  }

  async function takeTurn(id: AgentId, turn: number): Promise<void> {
    for (;;) {
      const agent = await agentNow(id);
      if (!agent) return;
      await pause(TURN_MS);
      if (turns.get(id) !== turn) return;
      const deed = behaviour.deed(agent.def.name);
      if (deed.type === "works") await pause(deed.ms);
      else if (deed.type === "hangs") {
        const quiet_ms = agent.def.hung_after_ms ?? hungAfterMs;
        await pause(quiet_ms);
        if (turns.get(id) === turn) await saw(id, { type: "hung", quiet_ms, tail: "" });
        return;
      } else return does(agent, deed);
    }
  }

  async function does(agent: Agent, deed: Exclude<Deed, { type: "works" | "hangs" }>): Promise<void> {
    const { id, incarnation } = agent;
    switch (deed.type) {
      case "done":
        await saw(id, { type: "stopped", last_message: deed.text, tail: "" });
        if (clients.endsWithTurn(agent.kind, agent.def.run)) await exits(id, incarnation, 0);
        return;
      case "fails":
        await saw(id, { type: "errored", ...errorIn(deed.message), tail: "" });
        if (clients.endsWithTurn(agent.kind, agent.def.run)) await exits(id, incarnation, 1);
        return;
      case "dies":
        return exits(id, incarnation, deed.code);
      case "signals":
        await saw(id, { type: "signalled", signal: deed.signal, message: deed.message, tail: "" });
        await saw(id, { type: "stopped", last_message: deed.message ?? "Done.", tail: "" });
        return;
      default:
        await saw(id, { type: "prompted", prompt: promptOf(deed, `trial-${++prompts}`), tail: "" });
    }
  }

  async function exits(id: AgentId, incarnation: number, code: number): Promise<void> {
    await saw(id, { type: "exited", incarnation, code, signal: null, error: null, tail: "" });
  }

  async function start({ id, incarnation, outbox }: Agent, record: Recorder): Promise<void> {
    await record((state, moment) => observe(state, { id, seen: { type: "spawned", incarnation } }, moment));
    const parcel_ids = outbox.map((it) => it.id);
    await record((state, moment) => wordsTold(state, { id, incarnation, parcel_ids }, moment));
    await record((state, moment) => observe(state, { id, seen: { type: "submitted", text: "" } }, moment));
    beginTurn(id);
  }

  /** Whoever is told something acknowledges it at once, and goes on. */
  async function deliver(agent: Agent, { id: parcel_id, reply, prompt_key, text }: Parcel, record: Recorder) {
    const { id, incarnation } = agent;
    const named = { id, parcel_id };
    if (reply && prompt_key !== null && agent.prompt?.key === prompt_key) {
      await record((state, moment) => dialogAnswered(state, { ...named, taken: true }, moment));
      const seen: Observation = { type: "answered", key: prompt_key };
      await record((state, moment) => observe(state, { id: agent.id, seen }, moment));
    } else {
      await record((state, moment) => wordsSaid(state, { ...named, incarnation, read: true }, moment));
      const seen: Observation = { type: "submitted", text };
      await record((state, moment) => observe(state, { id: agent.id, seen }, moment));
    }
    beginTurn(agent.id);
  }

  async function gate(
    effect: Extract<AgentEffect, { type: "run-gate" }>,
    written: string,
    record: Recorder,
  ): Promise<void> {
    await pause(GATE_MS);
    const { exit_code, output } = behaviour.shell({ text: effect.script, written, prints: "" });
    const finder = failureFinder();
    finder.add(output);
    const failing = { text: finder.text(), reason: finder.reason() };
    const { agent_id: id, run_id } = effect;
    const ended = { id, run_id, exit_code, error: null, output, failing, changes: null };
    await record((state, moment) =>
      agentGateEnded(state, { ...ended, prime: "", tail: "", last_message: "" }, moment),
    );
  }

  return {
    async perform(effect, record) {
      const agent = await agentNow(effect.agent_id);
      if (!agent) return;
      switch (effect.type) {
        case "start-agent":
          if (agent.incarnation === effect.incarnation) await start(agent, record);
          return;
        case "stop-agent":
          turns.set(agent.id, (turns.get(agent.id) ?? 0) + 1);
          return exits(agent.id, effect.incarnation, 0);
        case "deliver":
          return deliver(agent, effect.parcel, record);
        case "run-gate":
          return gate(effect, agent.gate?.run ?? "", record);
        case "wake-agent":
          await record((state, moment) => agentCooled(state, { id: agent.id }, moment));
      }
    },
  };
}

function promptOf(deed: Extract<Deed, { type: "asks" | "runs" | "writes" | "plans" }>, key: string): Prompt {
  const of = (
    kind: Prompt["kind"],
    tool: string,
    input: unknown,
    questions: Prompt["questions"] = [],
  ): Prompt => ({
    key,
    kind,
    tool,
    input,
    sha256: sha256(canonical({ tool, input })),
    questions,
    choices: [],
  });
  switch (deed.type) {
    case "runs":
      return of("approval", "Bash", { command: deed.command });
    case "writes":
      return of("approval", "Write", { file_path: deed.path, content: "" });
    case "plans":
      return of("plan", "plan", { plan: deed.plan });
    case "asks": {
      const options = deed.options.map((label) => ({ label, description: null }));
      const question = { question: deed.question, header: null, multi_select: false, options };
      return of("question", "question", { questions: [question] }, [question]);
    }
  }
}

/** `rate_limited: try later` is an error of that kind; any other text is just an error. */
function errorIn(text: string): { kind: string; message: string } {
  const [, kind = "", message = ""] = /^(\w+)(?::\s*(.*))?$/s.exec(text) ?? [];
  return ERROR_KINDS.includes(kind)
    ? { kind, message: message || kind }
    : { kind: "api_error", message: text };
}
