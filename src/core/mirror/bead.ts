/** What the bead of a decision says: its title, text, labels and the reason it was closed. */
import { settledOf } from "../decision/settled.ts";
import type { Decision, DecisionState } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";
import type { Unmirrored } from "../model/mirror-types.ts";
import { isBeadId } from "../model/mirror-types.ts";
import { redact } from "../text/secrets/redact.ts";
import { clipped } from "../text/words.ts";

/** How the bead of a decision has to be. */
export interface WantedBead {
  decision_id: DecisionId;
  state: DecisionState;
  labels: readonly string[];
  /** Why it is closed; null while the decision is pending. */
  reason: string | null;
  /** What to make it from, if it is not there; null if the decision is no longer known. */
  made: NewBead | null;
  /** The beads that wait for it, and the one that it is a part of. */
  blocks: readonly string[];
  parent: string | null;
  superseded_by: DecisionId | null;
}

export interface NewBead {
  title: string;
  body: string;
  /** 0 to 4; 2 is ordinary. */
  priority: number;
}

/** The oldest `bd` that was tried: older ones may put beads elsewhere, or know no decisions. */
export const OLDEST_BD = "1.0.5";

export const STATE_LABEL = "decision:";
const KIND_LABEL = "gt:decision";
const PRIORITIES = { high: 1, medium: 2, low: 3 } as const;

/** `bd` takes 500 bytes, and a character may be four of them. */
const LONGEST_TITLE = 120;
/** Characters of a context: whoever needs more asks oj. */
const LONGEST_CONTEXT = 200_000;
const LONGEST_REASON = 10_000;

export function beadOf(decision: Decision): WantedBead {
  const { id, state, urgency, blocks, parent_bead = null, superseded_by } = decision;
  return {
    decision_id: id,
    state,
    labels: [KIND_LABEL, `${STATE_LABEL}${state}`, `urgency:${urgency}`],
    reason: state === "pending" ? null : reasonOf(decision),
    made: { title: titleOf(decision), body: bodyOf(decision), priority: PRIORITIES[urgency] },
    blocks: blocks.filter(isBeadId),
    parent: parent_bead,
    superseded_by,
  };
}

/** The decision is gone, but its bead still has to say how it ended. */
export function beadOfDeleted({ id }: Unmirrored, deleted: NonNullable<Unmirrored["deleted"]>): WantedBead {
  const { state, words } = deleted;
  return {
    decision_id: id,
    state,
    labels: [KIND_LABEL, `${STATE_LABEL}${state}`],
    reason: clipped(redact(words === "" ? state : `${state}: ${words}`), LONGEST_REASON),
    made: null,
    blocks: [],
    parent: null,
    superseded_by: null,
  };
}

function titleOf({ id, title }: Decision): string {
  const line = redact(title)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return clipped(line, LONGEST_TITLE) || id;
}

/** "resolved: option 2, Postgres, by ana (cli)", and what they said. */
function reasonOf(decision: Decision): string {
  const { state, answer, ended } = decision;
  const settled = settledOf(decision);
  const option = answer?.chosen == null || answer.choices.length > 1 ? "" : `option ${answer.chosen}, `;
  const by = settled?.by ? ` by ${settled.by}${settled.via ? ` (${settled.via})` : ""}` : "";
  const reason = answer && ended ? ` (${ended.reason})` : "";
  const said = answer?.message && answer.message !== settled?.words ? `\n\n${answer.message}` : "";
  return clipped(redact(`${state}: ${option}${settled?.words ?? ""}${reason}${by}${said}`), LONGEST_REASON);
}

function bodyOf(decision: Decision): string {
  const { id, project, source, title, context, options, questions, action } = decision;
  const sections = [
    title.trim(),
    clipped(context.trim(), LONGEST_CONTEXT),
    action
      ? `Wants to use ${action.tool}:\n${clipped(JSON.stringify(action.input, null, 2), LONGEST_CONTEXT)}`
      : "",
    ...questions.map((it) => `${it.question}\n${optionLines(it.options)}`),
    options.length > 0 ? `Options:\n${optionLines(options)}` : "",
    [
      `Asked by ${askerOf(decision)} in ${project} (${source})`,
      ...linkLines(decision),
      `Answer it with: oj decision resolve ${id}`,
      `This is a copy: the answer counts in oj, not here.`,
    ].join("\n"),
  ];
  return redact(sections.filter((it) => it !== "").join("\n\n"));
}

function optionLines(
  options: readonly { label: string; description: string | null; recommended?: boolean }[],
): string {
  return options
    .map(({ label, description, recommended }, at) => {
      const mark = recommended ? " (recommended)" : "";
      return `${at + 1}. ${label}${mark}${description ? `: ${description}` : ""}`;
    })
    .join("\n");
}

function askerOf({ requested_by, owner, agent_id }: Decision): string {
  const who = requested_by ?? (owner.kind === "job" ? `${owner.name}, step ${owner.step}` : owner.name);
  return agent_id === null ? who : `${who} (${agent_id})`;
}

function linkLines({ blocks, parent, parent_bead, predecessor, supersedes }: Decision): string[] {
  const links: [string, string | null | undefined][] = [
    ["Blocks", blocks.join(", ")],
    ["Part of", parent ?? parent_bead],
    ["Follows", predecessor],
    ["Replaces", supersedes],
  ];
  return links.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
}
