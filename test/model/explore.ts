/** Visits every state that the model can get into, and says what is wrong in any of them, with the shortest way there. */
import type { Case } from "./cases.ts";
import { anaMoves, clientMoves, troubles } from "./client.ts";
import { deliveryMoves, tmuxMoves } from "./deliver.ts";
import type { Disk, Kept, Label } from "./disk.ts";
import { startDisk } from "./disk.ts";
import { lookMoves } from "./look.ts";
import type { Here, Move, Rules } from "./moves.ts";
import { RULES } from "./moves.ts";
import type { Outside } from "./outside.ts";
import { beginning } from "./outside.ts";
import { reportMoves } from "./reports.ts";
import { startMoves } from "./starts.ts";

export interface Explored {
  states: number;
  /** What is wrong first, and how it came to that. */
  wrong: { what: string; trace: string[] } | null;
  disk: Disk;
  ends: Set<string>;
}

interface Node {
  outside: Outside;
  kept: Kept;
  from: Node | null;
  how: string;
  /** Who leads here without the help of people or trouble. */
  before: Node[];
}

const MOST = 3_000_000;

export function explore(it: Case, rules: Rules = RULES, most = 2): Explored {
  const disk = startDisk(it);
  const first: Node = { outside: beginning(it, most), kept: disk.first, from: null, how: "", before: [] };
  const nodes = new Map([[keyOf(first.outside, first.kept), first]]);
  const queue = [first];
  const ends = new Set<string>();
  const found = (what: string, at: Node | null): Explored => ({
    states: nodes.size,
    wrong: { what, trace: traceOf(at) },
    ...{ disk, ends },
  });
  for (const node of queue) {
    if (isOver(node)) continue;
    const here: Here = { it, disk, rules, outside: node.outside, kept: node.kept };
    for (const move of movesOf(here)) {
      const next: Node = { ...move, from: node, how: `${move.by}: ${move.name}`, before: [] };
      const wrong = move.wrong ?? wrongIn(it, node.kept, move);
      if (wrong) return found(wrong, next);
      const key = keyOf(move.outside, move.kept);
      const known = nodes.get(key);
      const target = known ?? next;
      if (move.by === "the daemon" || move.by === "the client") target.before.push(node);
      if (known) continue;
      nodes.set(key, next);
      queue.push(next);
      for (const [label, state] of Object.entries(move.kept.delivery)) ends.add(`${label} ${state}`);
      if (nodes.size > MOST) throw new Error(`more than ${MOST} states`);
    }
  }
  const stuck = withoutWay(queue);
  return stuck
    ? found("something is owed, and there is no way on", stuck)
    : { states: nodes.size, wrong: null, disk, ends };
}

function movesOf(here: Here): Move[] {
  return [
    ...clientMoves(here),
    ...anaMoves(here),
    ...reportMoves(here),
    ...deliveryMoves(here),
    ...tmuxMoves(here),
    ...lookMoves(here),
    ...startMoves(here),
    ...troubles(here),
  ];
}

/** Ana's answer has arrived or failed, or was not wanted any more, and nothing is under way. */
function isOver({ outside, kept }: Node): boolean {
  const { agent, delivery, pending } = kept;
  const isAsked = pending.some((it) => kept.labelOf(it) === "main");
  if (isAsked || agent.outbox.length > 0 || delivery.main === undefined) return false;
  const { keys, response, look, asking, replied, said, told, hook, late, unwritten, refused, started } =
    outside;
  return ![
    keys,
    response,
    look,
    asking,
    replied,
    said,
    late,
    unwritten,
    refused,
    started,
    told,
    hook === "broken",
  ].some(Boolean);
}

/** Nothing is called received that was not heard, and nothing is heard twice without a reason. */
function wrongIn({ remark }: Case, before: Kept, { kept, outside }: Move): string | null {
  const { heard, excused, contested, end } = outside;
  const hasAnswer = end !== null && end < 2 && !remark; // by its hook or by keys
  for (const label of ["main", "retry"] as Label[]) {
    if (kept.delivery[label] === "acknowledged" && before.delivery[label] !== "acknowledged") {
      const isAnswered = label === "main" && (heard.answer || contested) && !remark;
      if (!isAnswered && heard[label] === 0) return `${label} was acknowledged, and nobody heard it`;
    }
    const times = heard[label] + (label === "main" && hasAnswer ? 1 : 0);
    if (times > 1 + excused) return `${label} was heard twice`;
  }
  return null;
}

/** Nothing is left to do for whoever answered, or a person is asked and decides how it goes on. */
function isSettled({ kept: { agent, pending } }: Node): boolean {
  const isAsked = pending.length > 0;
  if (agent.outbox.length > 0)
    return (
      isAsked &&
      (agent.status === "exited" ||
        (agent.prompt !== null && agent.outbox.every((it) => it.prompt_key !== agent.prompt?.key)))
    );
  return isAsked || agent.status === "working";
}

/** The first state from which neither the daemon nor the client ever gets to one in which all is settled. */
function withoutWay(nodes: readonly Node[]): Node | null {
  const good = new Set(nodes.filter(isSettled));
  for (const node of good) for (const it of node.before) good.add(it);
  return nodes.find((it) => !good.has(it)) ?? null;
}

function traceOf(node: Node | null): string[] {
  const trace: string[] = [];
  for (let it = node; it?.from; it = it.from) trace.unshift(it.how);
  return trace;
}

function keyOf(outside: Outside, kept: Kept): string {
  return `${kept.id} ${JSON.stringify(Object.values(outside))}`;
}
