/**
 * Failures that nobody has seen, as items of both inboxes. There they look like decisions, so that lists, cards, keys and
 * filters work on them alike; to the daemon they are none: their answers are calls about the job or crew.
 */
import type { ApiClient, DecisionBrief, DecisionView, FailedRun, ResolveBody } from "../api/api.ts";
import type { Event } from "../core/model/events.ts";
import type { Failure } from "./card/failure.ts";
import { failureTitle } from "./card/failure.ts";
import type { Inbox } from "./model.ts";
import { GUARD_MS, withNotice } from "./model.ts";

/** Whether this item is a failed job or crew. */
export function isFailure(id: string): boolean {
  return id.startsWith("job-") || id.startsWith("crew-");
}

/** Whether anybody reads what is said with the answer: a script that failed does not. */
export function hearsWords({ id, agent_id }: Pick<DecisionView, "id" | "agent_id">): boolean {
  return !isFailure(id) || agent_id !== null;
}

/** Whether one of these events may change what is listed as failed. */
export function concernsFailures(events: readonly Event[]): boolean {
  return events.some((it) => /^(job|crew):(failed|seen|resumed|deleted)$/.test(it.type));
}

/** Takes over the failures as the daemon has them now. */
export function onFailed(inbox: Inbox, runs: readonly FailedRun[], now: number): Inbox {
  const items = new Map([...inbox.items].filter(([id]) => !isFailure(id)));
  const details = new Map([...inbox.details].filter(([id]) => !isFailure(id)));
  for (const run of runs) {
    const known = inbox.details.get(run.id);
    const view = known?.created_at_ms === run.failed_at_ms ? known : viewOf(run);
    items.set(run.id, briefOf(view));
    details.set(run.id, view);
  }
  const sending = new Set([...inbox.sending].filter((id) => !isFailure(id) || items.has(id)));
  const next = { ...inbox, items, details, sending };
  const { selected } = inbox;
  if (selected === null || !isFailure(selected) || items.has(selected)) return next;
  const left = { ...next, selected: null };
  if (inbox.sending.has(selected)) return left;
  const guarded = { ...left, guarded_until_ms: now + GUARD_MS }; // the focus moves under the fingers
  return withNotice(guarded, "info", `${selected} was taken care of`, now);
}

/** Does what was chosen; says what the person should know about it. */
export async function answerFailure(client: ApiClient, id: string, body: ResolveBody): Promise<string> {
  const job = `oj ${id.startsWith("crew-") ? "crew" : "job"}`;
  const number = body.choices?.[0]?.[0] ?? 1; // words alone go with a retry
  const chosen = body.option === "dismiss" ? "drop" : OPTIONS[number - 1]?.key;
  if (chosen === "retry") {
    const run = await client.resumeJob(id, { message: body.message ?? body.text ?? null });
    return `${id} continues${run.step ? ` at ${run.step}` : ""}`;
  }
  await client.seeFailure(id, { how: chosen === "open" ? "opened" : "dropped" });
  return chosen === "open" ? `its output: ${job} logs ${id}` : `dropped; later: ${job} resume ${id}`;
}

const OPTIONS = [
  {
    key: "retry",
    label: "Retry",
    description: "Run it again from the step that failed",
    recommended: true,
    effect: "the job continues at the step that failed",
  },
  {
    key: "open",
    label: "Open",
    description: "Look at it; it leaves the inbox",
    recommended: false,
    effect: "you have seen it",
  },
  {
    key: "drop",
    label: "Drop",
    description: "Never mind; it leaves the inbox",
    recommended: false,
    effect: "nothing happens; it can still be resumed",
  },
] as const;

function viewOf(run: FailedRun): Failure {
  const { id, project, name, step, error, tail, failed_at_ms, agent_id } = run;
  return {
    failed: run,
    id: id as never,
    project,
    source: "error",
    state: "pending",
    outcome: "pending",
    title: failureTitle(run),
    context: `${error}\n\n${tail}`.trim(),
    fields: {},
    urgency: "medium",
    owner: id.startsWith("crew-")
      ? { kind: "crew", id: id as never, name }
      : { kind: "job", id: id as never, name, step: step ?? "" },
    agent_id,
    requested_by: null,
    session: null,
    template: null,
    prompt_key: null,
    blocks: [],
    on_cancel: "keep",
    aftermath: null,
    parent: null,
    predecessor: null,
    supersedes: null,
    superseded_by: null,
    recipient: null,
    escalation: null,
    claimed: null,
    snoozed: null,
    deadline_at_ms: null,
    default: null,
    stale_since_ms: null,
    closes_at_ms: null,
    bead: null,
    questions: [],
    action: null,
    options: OPTIONS.map((it, at) => ({ ...it, number: at + 1, acts: false })),
    created_at_ms: failed_at_ms,
    machine: null,
    away_since_ms: null,
    held: null,
    answer: null,
    ended: null,
    delivery: { state: "none", attempts: 0, error: null, at_ms: null },
    successor: null,
    notices: [],
    not_notified: null,
  };
}

function briefOf(view: DecisionView): DecisionBrief {
  const { id, project, source, state, title, urgency, owner, agent_id, created_at_ms, held } = view;
  const rest = { group: `failed ${id}`, settled: null };
  return { id, project, source, state, title, urgency, owner, agent_id, created_at_ms, held, ...rest };
}
