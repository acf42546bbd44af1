/**
 * Failures that nobody has seen, as items of both inboxes. There they look like decisions, so that lists, cards, keys and
 * filters work on them alike; to the daemon they are none: their answers are calls about the job or crew.
 */
import type { ApiClient, DecisionBrief, DecisionView, FailedRun, ResolveBody } from "../api/api.ts";
import type { Event } from "../core/model/events.ts";
import type { Failure } from "./card/failure.ts";
import { failureTitle } from "./card/failure.ts";
import type { Inbox } from "./model.ts";
import { disturbed } from "./select.ts";

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

/** Takes over the failures as the daemon has them now. What failed again since is another failure, to be looked at anew. */
export function onFailed(inbox: Inbox, runs: readonly FailedRun[], now: number): Inbox {
  const items = new Map([...inbox.items].filter(([id]) => !isFailure(id)));
  const details = new Map([...inbox.details].filter(([id]) => !isFailure(id)));
  const over = new Set([...inbox.items.keys()].filter(isFailure));
  for (const run of runs) {
    const known = inbox.details.get(run.id);
    const isKnown = known?.created_at_ms === run.failed_at_ms;
    const view = isKnown ? known : viewOf(run);
    if (isKnown) over.delete(run.id);
    items.set(run.id, briefOf(view));
    details.set(run.id, view);
  }
  const { selected, sending } = inbox;
  const isLeft = selected !== null && isFailure(selected) && !items.has(selected);
  const next = { ...without(inbox, over), items, details, selected: isLeft ? null : selected };
  if (selected === null || !over.has(selected) || sending.has(selected)) return next;
  return isLeft
    ? disturbed(next, "info", `${selected} was taken care of`, now)
    : disturbed(next, "warning", `${selected} failed again: look again`, now);
}

/** What was chosen for these is over, and what was sent about them with all its words. */
function without(inbox: Inbox, over: ReadonlySet<string>): Inbox {
  const sending = new Set([...inbox.sending].filter((id) => !over.has(id)));
  const forms = new Map(inbox.forms);
  for (const id of over) {
    const form = forms.get(id);
    if (inbox.sending.has(id)) forms.delete(id);
    else if (form) forms.set(id, { ...form, cursor: 0, choices: [] });
  }
  return { ...inbox, sending, forms };
}

/** Does what was chosen; says what the person should know about it. */
export async function answerFailure(client: ApiClient, id: string, body: ResolveBody): Promise<string> {
  const job = `oj ${id.startsWith("crew-") ? "crew" : "job"}`;
  const number = body.choices?.[0]?.[0] ?? 1; // words alone go with a retry
  const chosen = body.option === "dismiss" ? "drop" : OPTIONS[number - 1]?.key;
  if (chosen === "retry") {
    const words = [body.text, body.message].filter((it) => it).join("\n\n");
    const run = await client.resumeJob(id, { message: words || null });
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
