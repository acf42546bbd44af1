/** Decisions made from one text: together they contain it in every field that can have other people's words. */
import type { DecisionView } from "../../src/api/api.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";

type Make = (real: DecisionView, text: string) => DecisionView;

/** One per state, since each state shows fields that the others don't. */
export const hostileDecisions: Record<string, Make> = {
  approval: (real, text) => ({
    ...real,
    source: "approval",
    title: text,
    project: text,
    context: `words of ours:\n${text.replace(/^/gm, "> ")}\n${text}`,
    template: text,
    requested_by: text,
    session: text,
    prompt_key: text,
    owner: { kind: "job", id: text as "job-1", name: text, step: text },
    agent_id: text as "agt-1",
    blocks: [text],
    aftermath: text,
    successor: text,
    parent: text as DecisionId,
    predecessor: text as DecisionId,
    supersedes: text as DecisionId,
    options: optionsOf(real, text),
    action: {
      tool: text,
      input: { [text]: text, old_string: text, new_string: text, plan: text },
      sha256: text,
    },
  }),
  plan: (real, text) => ({
    ...real,
    source: "plan",
    title: text,
    action: { tool: text, input: { plan: text, [text]: text }, sha256: text },
    questions: [false, true].map((multi_select) => ({
      question: text,
      header: text,
      options: [{ label: text, description: text }],
      multi_select,
    })),
  }),
  held: (real, text) => ({
    ...real,
    source: "request",
    context: JSON.stringify({ [text]: text }, null, 2),
    fields: { [text]: text },
    held: {
      given: { choices: [[1]], option: null, text, texts: [text, text], message: text },
      answer: answerOf(text),
      held_at_ms: real.created_at_ms,
      release_at_ms: real.created_at_ms + 1e12,
    },
  }),
  answered: (real, text) => ({
    ...real,
    source: "request",
    state: "resolved",
    context: text,
    options: optionsOf(real, text),
    answer: answerOf(text),
    delivery: { state: "failed", attempts: 1, error: text, at_ms: 1 },
  }),
  ended: (real, text) => ({
    ...real,
    source: "request",
    owner: { kind: "requester", id: text, name: text },
    state: "withdrawn",
    superseded_by: text as DecisionId,
    ended: { reason: text, by: text, at_ms: 1 },
  }),
};

function optionsOf({ options }: DecisionView, text: string): DecisionView["options"] {
  return options.map((it) => ({ ...it, key: text, label: text, description: text, effect: text }));
}

function answerOf(text: string): NonNullable<DecisionView["answer"]> {
  return {
    ...{ chosen: 1, choices: [[1]], labels: [text], text, texts: [text, text], message: text, by: text },
    ...{ via: "api", resolved_at_ms: 1 },
  };
}
