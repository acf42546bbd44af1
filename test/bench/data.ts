/** Logs as they grow in use: a tenth of the events are questions that wait, the others are about those that were answered. */
import path from "node:path";
import { sqliteLog } from "../../src/adapters/sqlite-log.ts";
import type { Option } from "../../src/core/decision-types.ts";
import type { Event, Fact } from "../../src/core/events.ts";
import type { DecisionId } from "../../src/core/ids.ts";
import type { Log } from "../../src/daemon/ports.ts";
import { root } from "../torture/daemon.ts";

const BATCH = 1000;
const START = 1_790_000_000_000;
const EVENTS_OF_ANSWERED = 4;

export function logIn(dir: string): Log {
  const workers = {
    store: path.join(root, "dist/sqlite-worker.cjs"),
    snapshot: path.join(root, "dist/sqlite-snapshot-worker.cjs"),
  };
  return sqliteLog({ dir, version: "0.0.0-bench", workers });
}

/** Writes a log with that many events, a tenth of which are pending decisions. */
export async function writeEvents(log: Log, count: number): Promise<void> {
  const facts = factsOf(count);
  for (let from = 0; from < count; from += BATCH) {
    const events = facts.slice(from, from + BATCH).map((fact, n) => eventOf(fact, from + n + 1));
    await log.append(events, { after: from, streams: [] });
  }
}

export function eventOf(fact: Fact, seq: number): Event {
  return { seq, at_ms: START + seq * 1000, ...fact };
}

export function createdFact(n: number): Fact {
  const who = `agent-${n % 20}`;
  const option = (label: string): Option => ({
    key: label.toLowerCase(),
    label,
    description: `${label}: what that means for the change under discussion, in a sentence`,
    recommended: label === "Merge",
    action: { type: "answer" },
  });
  return {
    type: "decision:created",
    id: decisionId(n),
    project: `project-${n % 5}`,
    owner: { kind: "requester", id: who, name: who },
    source: "request",
    title: `Should change ${n} go in as it is, or wait for the next release?`,
    context: `The tests pass. ${"It touches the parser and the store, and changes a default. ".repeat(4)}`,
    fields: { change: n, files: ["src/parser.ts", "src/store.ts"] },
    urgency: n % 10 === 0 ? "high" : "medium",
    options: [option("Merge"), option("Wait"), option("Drop")],
    questions: [],
    action: null,
    requested_by: who,
    template: null,
    blocks: [],
    parent: null,
    predecessor: null,
    supersedes: null,
    created_at_ms: START + n * 1000,
  };
}

function factsOf(count: number): Fact[] {
  const facts: Fact[] = [];
  const pending = Math.floor(count / 10);
  for (let n = 0; n < pending; n++) facts.push(createdFact(n));
  for (let n = pending; facts.length + EVENTS_OF_ANSWERED <= count; n++) facts.push(...answered(n));
  while (facts.length < count) facts.push({ type: "decision:acknowledged", id: decisionId(0), project: "" });
  return facts;
}

function answered(n: number): Fact[] {
  const [id, project] = [decisionId(n), `project-${n % 5}`];
  return [
    createdFact(n),
    {
      type: "decision:resolved",
      id,
      project,
      state: "resolved",
      action: { type: "answer" },
      chosen: 1,
      choices: [[1]],
      labels: ["Merge"],
      text: null,
      message: "looks good to me",
      by: "ana",
      via: "cli",
      resolved_at_ms: START + n * 1000 + 500,
    },
    { type: "decision:delivered", id, project, attempt: 1 },
    { type: "decision:acknowledged", id, project },
  ];
}

/** The same for the same number, another for each, and spread as random ones are. */
function decisionId(n: number): DecisionId {
  const mixed = (Math.imul(n + 1, 2654435761) >>> 0).toString(36).padStart(7, "z");
  return `dec-${mixed}${n.toString(36).padStart(4, "z")}`;
}
