/**
 * A small model of what lies between an answer and the agent's dialog: the hook's response, keys, the person at the
 * terminal, reports in any order, kills. Every state that it can get into is visited, and core is asked in each.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { clients } from "../../src/agents/known/clients.ts";
import { observe } from "../../src/core/agent/agent.ts";
import type { CallEnd } from "../../src/core/agent/dialog.ts";
import { dialogAnswered } from "../../src/core/agent/dialog.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import type { AgentId, DecisionId, Moment } from "../../src/core/model/ids.ts";
import type { State } from "../../src/core/model/state/state.ts";
import { apply } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import { agentAtWork, approval, tail } from "../fakes/agents.ts";

type Reply = "approve" | "deny";

/** What is true outside, whoever knows of it. */
interface Outside {
  /** Whose answer the dialog got; null while it is open. */
  winner: "oj" | "person" | null;
  /** Whether it was allowed. */
  allowed: boolean;
  /** The call has its result, which is in the conversation's file. */
  isOver: boolean;
  daemon: "up" | "down";
  /** The dialog's hook is open. */
  isHeld: boolean;
  /** The response is on its way to the client. */
  isSent: boolean;
  /** We answered, and that is not recorded yet. */
  unrecorded: boolean;
  /** Reports on their way, in any order. */
  reports: readonly string[];
  kills: number;
}

interface Node {
  outside: Outside;
  core: string;
  path: readonly string[];
}

const KEY = approval.key;
const MOST_KILLS = 2;

/** What an answer's delivery may become. The same state again is allowed, too. */
const NEXT: Record<string, readonly string[]> = {
  owed: ["delivered", "acknowledged", "failed"],
  delivered: ["acknowledged", "failed"],
  acknowledged: [],
  failed: [],
};

function explore(reply: Reply, personSays: Reply) {
  const { it: world, id, seen, answer } = agentAtWork();
  seen({ type: "prompted", prompt: approval, tail });
  const decision_id = answer(reply).id;
  const outside: Outside = {
    winner: null,
    allowed: false,
    isOver: false,
    daemon: "up",
    isHeld: true,
    isSent: false,
    unrecorded: false,
    reports: [],
    kills: 0,
  };
  const first: Node = { outside, core: encodeState(world.state), path: [] };
  const nodes = new Map([[keyOf(first, id, decision_id), first]]);
  const moves = new Set<string>();
  const queue = [first];
  for (const node of queue) {
    const next = nextOf(node, { id, decision_id, reply, personSays });
    for (const found of next) {
      const [before, after] = [node, found].map((it) => deliveryIn(it.core, decision_id)) as [string, string];
      const trace = found.path.join(" → ");
      assert.ok(before === after || NEXT[before]?.includes(after), `${before} became ${after}: ${trace}`);
      moves.add(`${before} → ${after}`);
      if (after === "acknowledged") {
        const { winner, allowed } = found.outside;
        assert.ok(winner !== null && allowed === (reply === "approve"), `nobody heard it: ${trace}`);
      }
      const key = keyOf(found, id, decision_id);
      if (nodes.has(key)) continue;
      nodes.set(key, found);
      queue.push(found);
    }
    if (next.length === 0) {
      const end = deliveryIn(node.core, decision_id);
      assert.match(end, /acknowledged|failed/, `it stays ${end}: ${node.path.join(" → ")}`);
    }
  }
  return { states: nodes.size, moves };
}

interface Case {
  id: AgentId;
  decision_id: DecisionId;
  reply: Reply;
  personSays: Reply;
}

function nextOf(node: Node, { id, decision_id, reply, personSays }: Case): Node[] {
  const { outside, core } = node;
  const { winner, daemon, isHeld, isSent, unrecorded, reports, isOver, allowed, kills } = outside;
  const found: Node[] = [];
  const go = (name: string, more: Partial<Outside>, rule?: Rule) => {
    const next = rule ? after(core, rule) : core;
    found.push({ outside: { ...outside, ...more }, core: next, path: [...node.path, name] });
  };
  const agent = decodeState(core).agents.get(id);
  const parcel = agent?.outbox.find((it) => it.id === decision_id);
  const isAsked = agent?.prompt?.key === KEY && parcel?.state === "owed" && !unrecorded;
  const gets = (by: "oj" | "person", says: Reply): Partial<Outside> => ({
    winner: by,
    allowed: says === "approve",
    isHeld: false,
    ...(says === "approve" ? {} : { isOver: true, reports: [...reports, "batch"] }),
  });

  if (daemon === "up" && isAsked && isHeld)
    go("the hook is answered", { isHeld: false, isSent: true, unrecorded: true });
  if (daemon === "up" && isAsked && !isHeld && winner === null)
    go("keys answer it", { ...gets("oj", reply), unrecorded: true });
  if (isSent && winner === null) go("the response arrives", { ...gets("oj", reply), isSent: false });
  if (isSent && winner !== null) go("the response is too late", { isSent: false });
  if (winner === null) go("somebody answers in the terminal", gets("person", personSays));
  if (winner !== null && allowed && !isOver)
    go("the tool ends", { isOver: true, reports: [...reports, "ran", "batch"] });
  if (daemon === "up" && unrecorded)
    go("the delivery is recorded", { unrecorded: false }, (state, moment) =>
      dialogAnswered(state, { id, parcel_id: decision_id, taken: false }, moment),
    );
  for (const report of reports) {
    const left = { reports: reports.filter((it) => it !== report) };
    if (daemon === "down") go(`${report} is lost`, left);
    // the client waits for the response to the first report before it sends the next
    else if (report === "ran" || !reports.includes("ran"))
      go(`${report} is reported`, left, answered(report === "ran" ? { ran: true } : rejection()));
  }
  if (daemon === "up" && kills < MOST_KILLS)
    go("the daemon is killed", {
      daemon: "down",
      isHeld: false,
      isSent: false,
      unrecorded: false,
      kills: kills + 1,
    });
  if (daemon === "down") {
    const isGone = winner !== null && agent?.prompt?.key === KEY;
    const end: CallEnd = allowed ? { ran: true } : rejection();
    const isKnown = isGone && (isOver || reply === "approve");
    go("a daemon starts", { daemon: "up" }, isKnown ? answered(isOver ? end : {}) : undefined);
  }
  return found;

  /** The result of a call that was refused at the keyboard says so; that of a call that a hook refused does not. */
  function rejection(): CallEnd {
    return winner === "person" && !allowed ? { refused: true, rejected: true } : {};
  }

  function answered(end: CallEnd): Rule {
    return (state, moment) => observe(state, { id, seen: { type: "answered", key: KEY, ...end } }, moment);
  }
}

type Rule = (state: State, moment: Moment) => Fact[];

function after(core: string, rule: Rule): string {
  const state = decodeState(core);
  let ids = 0;
  const facts = rule(state, { at_ms: 2_000_000, id: (kind) => `${kind}-m${state.seq}x${ids++}`, clients });
  for (const fact of facts) apply(state, { seq: state.seq + 1, at_ms: 2_000_000, ...fact } as Event);
  return encodeState(state);
}

function deliveryIn(core: string, id: DecisionId): string {
  return decodeState(core).decisions.get(id)?.delivery.state ?? "";
}

function keyOf({ outside, core }: Node, id: AgentId, decision_id: DecisionId): string {
  const state = decodeState(core);
  const agent = state.agents.get(id);
  const parcels = agent?.outbox.map((it) => [it.id, it.state, it.reply?.type]);
  return JSON.stringify([outside, agent?.status, agent?.prompt?.key, parcels, deliveryIn(core, decision_id)]);
}

describe("between an answer and the agent's dialog", () => {
  it.each([
    ["approve", "approve"],
    ["approve", "deny"],
    ["deny", "approve"],
    ["deny", "deny"],
  ] as const)(
    "oj says %s and the terminal %s: it arrives, or whoever answered is told",
    (reply, personSays) => {
      const { states, moves } = explore(reply, personSays);
      process.stdout.write(`${reply}, and ${personSays} in the terminal: ${states} states\n`);
      assert.ok(states > 50);
      assert.ok(moves.has("owed → delivered") && moves.has("delivered → acknowledged"));
      assert.equal(moves.has("delivered → failed"), reply !== personSays);
    },
  );
});
