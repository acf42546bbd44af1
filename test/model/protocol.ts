/**
 * The protocol on paper: how far ana's answer is, and which steps of core lead from there to where. What core does in
 * any state that the model gets into is compared with it, both ways.
 */
import type { Observation } from "../../src/core/agent/agent.ts";
import type { Case } from "./cases.ts";
import type { Core, Disk, Kept, Rule } from "./disk.ts";
import { CORE } from "./disk.ts";
import { KEY } from "./outcomes.ts";
import { outcomesOf } from "./outside.ts";
import { lastLines, nextDialog } from "./reports.ts";

/**
 * From each stage, what leads where. "acknowledged" and "failed" are final. A dialog that took an answer, but not the
 * words that came with it, leaves words that are owed.
 */
const PROTOCOL: Record<string, Record<string, readonly string[]>> = {
  asked: {
    none: [
      "answered",
      "closed",
      "conversation",
      "errored",
      "exited",
      "prompted",
      "stopped",
      "submitted",
      "worked",
    ],
  },
  "answer owed": {
    "answer delivered": ["dialogAnswered", "wordsSaid"],
    "answer told": ["wordsTold"],
    "words owed": ["answered", "exited"],
    acknowledged: ["answered", "conversation"],
    failed: ["answered", "changeLost", "conversation", "missed"],
  },
  "answer delivered": {
    "answer owed": ["wordsLost"],
    "words owed": ["answered", "errored", "exited", "stopped", "submitted"],
    acknowledged: ["answered", "conversation", "errored", "stopped", "submitted"],
    failed: ["answered", "conversation", "missed"],
  },
  "words owed": {
    "words delivered": ["wordsSaid"],
    "words told": ["startedWith", "wordsTold"],
    acknowledged: ["submitted"],
  },
  "words delivered": { "words owed": ["exited", "wordsLost"], acknowledged: ["submitted"] },
  "words told": { "words owed": ["exited", "wordsLost"], acknowledged: ["heard", "stopped", "submitted"] },
};

export function protocolSteps(): Set<string> {
  return new Set(
    Object.entries(PROTOCOL).flatMap(([from, ways]) =>
      Object.entries(ways).flatMap(([to, inputs]) => inputs.map((it) => `${from} → ${to}: ${it}`)),
    ),
  );
}

/** What the answer is now: still asked, an answer to a dialog or words, and how far it is; at last heard, or failed. */
function stageOf(kept: Kept): string {
  const parcel = kept.agent.outbox.find((it) => kept.labelOf(it) === "main");
  if (parcel) return `${parcel.reply ? "answer" : "words"} ${parcel.told ? "told" : parcel.state}`;
  if (kept.pending.some((it) => kept.labelOf(it) === "main")) return "asked";
  return kept.delivery.main ?? "none";
}

/** Everything that delivery can ask of core, with inputs that fit the state and that don't. */
function inputsOf(it: Case, disk: Disk, kept: Kept, core: Core): [string, Rule][] {
  const { agent_id: id } = disk;
  const { outbox, incarnation } = kept.agent;
  const main = outbox.find((one) => kept.labelOf(one) === "main");
  const parcel_id = main?.id ?? "none";
  const parcel_ids = [parcel_id];
  const named = { id, incarnation, parcel_id };
  const ends = outcomesOf(it).flatMap((one) => (one ? [one.ran, one.batch, one.file] : []));
  const answered = [{}, { unseen: true as const }, { unended: true as const }, ...ends].flatMap(
    (end): Observation[] => (end ? [{ type: "answered", key: KEY, ...end }] : []),
  );
  const seen: Observation[] = [
    ...(it.prompt ? [{ type: "prompted" as const, prompt: it.prompt, tail: lastLines }] : []),
    ...answered,
    { type: "prompted", prompt: nextDialog, tail: lastLines },
    { type: "missed", key: KEY },
    { type: "closed", key: KEY, tail: lastLines },
    { type: "stopped", last_message: "Done.", tail: lastLines },
    { type: "errored", kind: "other", message: "429", tail: lastLines },
    { type: "submitted", text: main?.text ?? "" },
    { type: "submitted", text: "something else" },
    { type: "worked" },
    { type: "heard" },
    { type: "conversation", conversation: "second", transcript: null },
    { type: "spawned", incarnation },
    { type: "exited", incarnation, code: 1, signal: null, error: null, tail: lastLines },
  ];
  const { dialogAnswered, changeLost, saying, wordsSaid, wordsTold, wordsLost, startedWith } = core;
  return [
    ...seen.map((one): [string, Rule] => [
      one.type,
      (state, moment) => core.observe(state, { id, seen: one }, moment),
    ]),
    ["dialogAnswered", (state, moment) => dialogAnswered(state, { id, parcel_id, taken: false }, moment)],
    ["changeLost", (state, moment) => changeLost(state, { id, key: KEY }, moment)],
    ["saying", (state, moment) => saying(state, { ...named, shown: 0 }, moment)],
    ["wordsSaid", (state, moment) => wordsSaid(state, { ...named, read: false }, moment)],
    ["wordsTold", (state, moment) => wordsTold(state, { ...named, parcel_ids }, moment)],
    ["wordsLost", (state, moment) => wordsLost(state, named, moment)],
    ["startedWith", (state, moment) => startedWith(state, { id, incarnation, parcel_ids }, moment)],
  ];
}

/** The steps that core takes in these states: `from → to: by what`. */
export function stepsOf(it: Case, disk: Disk, core: Core = CORE): Set<string> {
  const steps = new Set<string>();
  for (const kept of [...disk.all()]) {
    const from = stageOf(kept);
    if (from === "none") continue;
    for (const [n, [name, rule]] of inputsOf(it, disk, kept, core).entries()) {
      const to = stageOf(disk.after(kept, `input ${n}`, rule));
      if (from !== to) steps.add(`${from} → ${to}: ${name}`);
    }
  }
  return steps;
}
