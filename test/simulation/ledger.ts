/** What must stay true, checked with every event as it is written and with everything that an agent gets. */
import { DENIED } from "../../src/agents/hook-output.ts";
import type { Parcel, Reply } from "../../src/core/model/agent-types.ts";
import type { ExactAction } from "../../src/core/model/decision-types.ts";
import type { Event } from "../../src/core/model/events.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import { hasText, sameText } from "../../src/core/outbox/parcel.ts";
import type { Memory, Verdict } from "./client.ts";
import { policyFor } from "./policies.ts";

/** What must stay true. A planted bug is found as one of these. */
export type Truth =
  | "events are written once, in order"
  | "a decision has one winner"
  | "what was told as done is on disk"
  | "no timer of a settled decision fires"
  | "no answer is acknowledged that was not heard"
  | "no answer reaches a dialog that it is not for"
  | "nobody is asked about a call that is over"
  | "a policy answers only what it is about"
  | "only what was owed is said"
  | "nothing is said twice without a reason"
  | "a script runs once"
  | "an ended agent is left alone"
  | "state equals replay"
  | "every decision has a way out"
  | "rules refuse, and never throw";

export class Violation extends Error {
  readonly truth: Truth;
  constructor(truth: Truth, message: string) {
    super(message);
    this.truth = truth;
  }
}

interface Owed {
  parcel: Parcel;
  texts: string[];
}

export interface Ledger {
  written(events: readonly Event[]): void;
  /** A caller was told that this decision was answered by them. */
  told(decision: string, by: string): void;
  verdict(agent_id: AgentId, keys: readonly string[], verdict: Verdict): void;
  /** A hook decided a call of a session that oj did not start. */
  answered(command: string, allow: boolean): void;
  said(agent_id: AgentId, text: string): void;
  heard(agent_id: AgentId, text: string): void;
  /** A gate may run again, but only after another kill. */
  ran(run_id: string, isGate: boolean, kills: number): void;
  decisions(): number;
}

/** People's words are marked, so that each can be told from all others. */
const WORD = /w\d+w/g;
const SETTLING = /^decision:(resolved|superseded|withdrawn|expired)$/;
/** What timers of a decision do. */
const TIMED = /^(decision:(stale|released)|escalation:(advanced|reminded))$/;
/** What may still be said of an agent that has ended. */
const AFTER_END = /^agent:(ended|keyed|refused|noted)$/;

/** `troubles` counts what went wrong so far: after a kill or a lost call, words may be said again. */
export function startLedger(memoryOf: (id: AgentId) => Memory | undefined, troubles: () => number): Ledger {
  let seq = 0;
  /** The policy that may answer each decision. */
  const created = new Map<string, string | null>();
  const settled = new Map<string, { type: string; by: string | null }>();
  const owed = new Map<string, Owed>();
  /** The words of people: how often each agent heard them, and how much had gone wrong when they were owed. */
  const words = new Map<string, { times: number; troubles: number }>();
  /** Parcels on their way to a dialog in the moment in which somebody there refused it without a word. */
  const crossed = new Set<string>();
  /** Calls of sessions: what people said to them, and what reached them. */
  const calls = new Map<string, { command: string; said: boolean | null }>();
  const reached = new Map<string, boolean>();
  const ended = new Set<string>();
  /** How many kills there had been. */
  const ran = new Map<string, number>();

  function one(event: Event): void {
    if (event.seq !== seq + 1)
      throw new Violation("events are written once, in order", `event ${event.seq} follows ${seq}`);
    seq = event.seq;
    const { type } = event;
    const id = "id" in event ? String(event.id) : "";
    if (type === "decision:created") {
      if (created.has(id))
        throw new Violation("events are written once, in order", `${id} was created twice`);
      created.set(id, policyFor(event));
    }
    if (event.type === "decision:resolved" && event.policy) {
      const allows = event.action.type !== "deny";
      if (created.get(id) !== event.policy.name || allows === (event.policy.name === "never"))
        throw new Violation(
          "a policy answers only what it is about",
          `${id} was answered by ${event.policy.name}: ${event.action.type}`,
        );
    }
    if (event.type === "decision:created" && event.source === "approval" && event.agent_id === undefined)
      calls.set(id, { command: commandOf(event.action), said: null });
    const asked = calls.get(id);
    if (asked && event.type === "decision:resolved")
      asked.said = event.action.type === "deny" ? false : event.action.type === "approve" ? true : null;
    if (asked && type === "decision:acknowledged" && reached.get(asked.command) !== asked.said)
      throw new Violation(
        "no answer is acknowledged that was not heard",
        `${id} (${asked.command}): ${asked.said} was said, it got ${reached.get(asked.command)}`,
      );
    if (TIMED.test(type) && settled.has(id))
      throw new Violation(
        "no timer of a settled decision fires",
        `${type} of ${id}, which was ${settled.get(id)?.type}`,
      );
    if (SETTLING.test(type)) {
      const before = settled.get(id);
      if (before) throw new Violation("a decision has one winner", `${id}: ${before.type}, then ${type}`);
      settled.set(id, { type, by: event.type === "decision:resolved" ? event.by : null });
    }
    if (type.startsWith("agent:")) {
      if (ended.has(id) && !AFTER_END.test(type))
        throw new Violation("an ended agent is left alone", `${type} of ${id}`);
      if (type === "agent:ended") ended.add(id);
    }
    if (event.type === "agent:prompted" && memoryOf(event.id)?.over.has(event.prompt.key))
      throw new Violation(
        "nobody is asked about a call that is over",
        `${id} reported the end of ${event.prompt.key} before`,
      );
    if (event.type === "agent:owed")
      owed.set(`${id} ${event.parcel.id}`, { parcel: event.parcel, texts: [event.parcel.text] });

    if (event.type === "agent:replied") owed.get(`${id} ${event.parcel_id}`)?.texts.push(event.text);
    if (event.type === "agent:owed")
      for (const [word] of event.parcel.text.matchAll(WORD))
        words.set(`${id} ${word}`, { times: 0, troubles: troubles() });
    if (event.type === "agent:received") received(event.id, event.parcel_id);
  }

  function received(id: AgentId, parcel_id: string): void {
    const memory = memoryOf(id);
    const it = owed.get(`${id} ${parcel_id}`);
    if (!memory || !it)
      throw new Violation("no answer is acknowledged that was not heard", `${id} has no ${parcel_id}`);
    const { reply, prompt_key } = it.parcel;
    if (it.texts.some((text) => memory.heard.some((got) => hasText(got, text)))) return;
    const verdicts = prompt_key === null ? [] : verdictsOn(memory, prompt_key);
    if (reply !== null && verdicts.some((verdict) => fits(reply, verdict))) return;
    if (reply?.type === "approve" && crossed.has(`${id} ${parcel_id}`)) return; // nothing tells that from Esc while it ran
    throw new Violation(
      "no answer is acknowledged that was not heard",
      `${id} ${parcel_id} (${JSON.stringify(reply)}, ${JSON.stringify(it.texts)}): it got ${JSON.stringify(verdicts)}`,
    );
  }

  return {
    written(events) {
      for (const event of events) one(event);
    },
    told(decision, by) {
      if (settled.get(decision)?.by !== by)
        throw new Violation(
          "what was told as done is on disk",
          `${decision} was answered by ${settled.get(decision)?.by}, not ${by}`,
        );
    },
    verdict(agent_id, keys, verdict) {
      if (verdict.by === "person") {
        for (const [name, { parcel }] of owed)
          if (
            verdict.isInterruption &&
            name.startsWith(`${agent_id} `) &&
            keys.includes(parcel.prompt_key ?? "")
          )
            crossed.add(name);
        return;
      }
      const isMeant = [...owed].some(
        ([name, { parcel }]) =>
          name.startsWith(`${agent_id} `) &&
          parcel.reply !== null &&
          parcel.prompt_key !== null &&
          (keys.includes(parcel.prompt_key) || parcel.prompt_key.startsWith("shown:")) &&
          fits(parcel.reply, verdict),
      );
      if (!isMeant)
        throw new Violation(
          "no answer reaches a dialog that it is not for",
          `${keys[0]} got ${JSON.stringify(verdict)}`,
        );
    },
    answered(command, allow) {
      reached.set(command, allow);
      if (![...calls.values()].some((it) => it.command === command && it.said === allow))
        throw new Violation("no answer reaches a dialog that it is not for", `${command} got ${allow}`);
    },
    said(agent_id, text) {
      const texts = [...owed].flatMap(([name, it]) =>
        name.startsWith(`${agent_id} `) ? [...it.texts, ...wordsAfterNo(it.parcel.reply)] : [],
      );
      if (!texts.some((it) => sameText(it, text)))
        throw new Violation("only what was owed is said", `${agent_id} was told ${JSON.stringify(text)}`);
    },
    heard(agent_id, text) {
      for (const [word] of text.matchAll(WORD)) {
        const it = words.get(`${agent_id} ${word}`);
        if (!it) continue;
        it.times += 1;
        if (it.times > 1 + troubles() - it.troubles)
          throw new Violation(
            "nothing is said twice without a reason",
            `${agent_id} heard ${JSON.stringify(text)} again`,
          );
      }
    },
    ran(run_id, isGate, kills) {
      const before = ran.get(run_id);
      if (before !== undefined && !(isGate && before < kills))
        throw new Violation("a script runs once", run_id);
      ran.set(run_id, kills);
    },
    decisions: () => created.size,
  };
}

function commandOf(action: ExactAction | null): string {
  return String((action?.input as { command?: unknown } | undefined)?.command);
}

function verdictsOn({ verdicts }: Memory, key: string): Verdict[] {
  return key.startsWith("shown:") ? [...verdicts.values()].flat() : (verdicts.get(key) ?? []);
}

/** After a bare No, the client waits to be told why. */
function wordsAfterNo(reply: Reply | null): string[] {
  return reply?.type === "deny" ? [reply.message ?? DENIED] : [];
}

function fits(reply: Reply, { allow, answers }: Verdict): boolean {
  switch (reply.type) {
    case "approve":
    case "accept":
      return allow;
    case "deny":
    case "revise":
      return !allow;
    case "answers":
      return (
        allow &&
        reply.answers.every((it) =>
          [...it.labels, it.text ?? ""].some((text) => answers.some((got) => hasText(got, text))),
        )
      );
    default:
      return true;
  }
}
