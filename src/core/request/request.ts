/** Requests from agents and scripts. Everything is checked first; only a valid request supersedes the pending one. */

import { blockedWork, blockFacts, namedWork } from "../flow/block.ts";
import { jobGoesOn, jobWaits } from "../flow/step-requests.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, Moment } from "../model/ids.ts";
import type { StepAction, Template } from "../model/runbook.ts";
import type { State } from "../model/state/state.ts";
import { overdueFields } from "../template/overdue.ts";
import { ruledFields, ruleOf, strictest } from "../template/rule.ts";
import { askedBefore, requestId } from "./key.ts";
import { isBead, linkable } from "./links.ts";
import { requestOverdue } from "./overdue.ts";
import { pendingRequestsOf } from "./own-requests.ts";
import { refuseProblems } from "./problems.ts";
import { promote, standsStill } from "./promote.ts";
import { isSameRequest, repeated } from "./repeat.ts";
import { recipientOf } from "./requester.ts";
import type { Requester, RequestInput, RequestOption } from "./types.ts";

/**
 * A request that is sent again gives the decision that it already became, and nothing is recorded. One that says the
 * same as the asker's pending one is counted there.
 */
export function requestOnce(
  state: Readonly<State>,
  input: RequestInput,
  moment: Moment,
): { id: DecisionId; facts: Fact[] } {
  const asked = askedBefore(state, input);
  if (asked) return { id: asked.id, facts: [] };
  const facts = requestDecision(state, input, moment);
  const created = facts.find((it) => it.type === "decision:created");
  if (!created) throw new Error("a request created no decision");
  const agent = created.agent_id === undefined ? undefined : state.agents.get(created.agent_id);
  const why = created.aside && agent ? standsStill({ moment }, agent) : null;
  const { project } = created;
  if (why !== null) facts.push({ type: "decision:promoted", id: created.id, project, reason: why });
  const before = created.supersedes === null ? undefined : state.decisions.get(created.supersedes);
  if (!before || !isSameRequest(before, created)) return { id: created.id, facts };
  const key = created.id.replace(/^dec-/, "again-"); // there is no decision of that id
  const isKnown = before.repeats?.some((it) => it.key === key);
  if (isKnown) return { id: before.id, facts: [] };
  const promoted = promote(state, before, `${input.requester.name} has asked again`);
  return { id: before.id, facts: [repeated(before, key), ...promoted] };
}

export function requestDecision(state: Readonly<State>, input: RequestInput, moment: Moment): Fact[] {
  const template = input.runbook.templates.find((it) => it.name === input.template) ?? null;
  const options = optionsOf(input, template);
  const isConfined = input.requester.agent_id !== null || input.confined === true;
  const work = namedWork(state, input.blocks, isConfined ? input.project : null);
  refuseProblems(state, input, { template, options, work });

  const id = requestId(state, input, moment);
  const [before = null] = input.requester.is_agent
    ? pendingRequestsOf(state, input.requester, input.project)
    : [];
  const inherited = before ? blockedWork(state, before) : [];
  const blocks = [...new Set([...inherited, ...work.blocks])];
  const superseded: Fact[] = before
    ? [{ type: "decision:superseded", id: before.id, project: before.project, superseded_by: id }]
    : [];
  const ruled = ruledFields(
    strictest(template ? ruleOf(template) : undefined, before?.rule) ?? {},
    sponsorOf(state, input.requester),
  );
  const recorded = options.map(({ successor, ...rest }) => ({
    ...rest,
    action: successor === null ? ({ type: "answer" } as const) : ({ type: "answer", successor } as const),
  }));
  return [
    {
      type: "decision:created",
      id,
      project: input.project,
      owner: { kind: "requester", id: ownerId(input.requester), name: input.requester.name },
      ...(input.requester.agent_id === null ? {} : { agent_id: input.requester.agent_id }),
      session: input.requester.session,
      ...(input.requester.asked_in
        ? { asked_in: input.requester.asked_in, job_id: input.requester.asked_in.job_id }
        : {}),
      ...(input.requester.claimed_session ? { claimed_session: input.requester.claimed_session } : {}),
      source: "request",
      title: input.prompt,
      context: input.context,
      fields: input.fields,
      urgency: input.urgency ?? template?.urgency ?? "medium",
      options: recorded,
      questions: [],
      action: null,
      requested_by: input.requester.name,
      template: input.template,
      blocks,
      on_cancel: ruled.rule ? "keep" : (input.on_cancel ?? template?.on_cancel ?? "keep"),
      ...parentOf(state, input),
      predecessor: linked(state, input, input.predecessor),
      supersedes: before?.id ?? null,
      recipient: recipientOf(input.requester, input.project),
      ...(input.root === undefined ? {} : { root: input.root }),
      created_at_ms: moment.at_ms,
      ...ruled,
      ...overdueFields(requestOverdue(state, input, template, options), recorded, moment.at_ms, ruled.rule),
      ...(input.auto_close_ms == null ? {} : { auto_close_ms: input.auto_close_ms }),
      ...(input.wait === false ? { aside: { meanwhile: meanwhileOf(input) } } : {}),
    },
    ...superseded,
    ...blockFacts(state, id, blocks, before),
    ...(before ? jobGoesOn(state, before) : []),
    ...(input.requester.asked_in && input.wait !== false
      ? jobWaits(state, input.requester.asked_in, id)
      : []),
  ];
}

function meanwhileOf({ meanwhile }: RequestInput): string | null {
  return meanwhile?.trim() || null;
}

/** Names may be shared, even by agents of one runbook; ids are not. */
function ownerId({ agent_id, session, name }: Requester): string {
  return agent_id ?? session ?? name;
}

/** A decision or, where decisions are mirrored as beads, a bead. */
function parentOf(
  state: Readonly<State>,
  input: RequestInput,
): { parent: DecisionId | null; parent_bead?: string } {
  const parent = linked(state, input, input.parent);
  return parent === null && isBead(input, input.parent) ? { parent, parent_bead: input.parent } : { parent };
}

function linked(state: Readonly<State>, input: RequestInput, text: string | null): DecisionId | null {
  return text === null ? null : (linkable(state, input, text)[0] ?? null);
}

/**
 * The request's own options, or else its template's. An option whose label the template knows keeps what the template
 * says about it.
 */
function optionsOf({ options, recommend }: RequestInput, template: Template | null): RequestOption[] {
  const known = template?.options ?? [];
  const given =
    options.length > 0
      ? options
      : known.map((it) => ({ label: it.label ?? it.key, description: it.description ?? null }));
  const keys = new Set<string>();
  return given.map(({ label, description }, index) => {
    const key = keyOf(label);
    const def = known.find((it) => it.key === key || keyOf(it.label ?? it.key) === key);
    return {
      key: fresh(def?.key ?? key, keys),
      label,
      description,
      recommended:
        recommend === null ? options.length === 0 && (def?.recommended ?? false) : recommend === index + 1,
      successor: def?.successor ?? null,
      ...(def?.reversible === undefined ? {} : { reversible: def.reversible }),
      ...(DECLINES.includes(def?.action) ? { declines: true as const } : {}),
    };
  });
}

/** In a job these would stop it; whoever asked is told, and knows it for a no. */
const DECLINES: readonly (StepAction | undefined)[] = ["cancel", "fail", "dismiss"];

/** Whose work asks: who started it, or else who asked. */
function sponsorOf(state: Readonly<State>, { agent_id, asked_in, who }: Requester): string | undefined {
  const owner = agent_id === null ? undefined : state.agents.get(agent_id)?.owner;
  if (owner?.kind === "crew") return state.crews.get(owner.id)?.sponsor;
  const job = owner?.id ?? asked_in?.job_id;
  return job === undefined ? who : state.jobs.get(job)?.sponsor;
}

/** "A?" and "A!" are two options: the second gets a number. */
function fresh(key: string, taken: Set<string>): string {
  let name = key;
  for (let number = 2; taken.has(name); number++) name = `${key}-${number}`;
  taken.add(name);
  return name;
}

/** A short key for scripts: "Use Postgres 16" → "use-postgres-16". */
function keyOf(label: string): string {
  return (
    label
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "option"
  );
}
