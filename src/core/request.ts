/** A request: an agent or script asks. Everything is checked first; only a sound request supersedes the pending one. */

import { blockedWork, blockFacts, namedWork } from "./block.ts";
import type { Decision } from "./decision-types.ts";
import { Refusal } from "./errors.ts";
import type { Fact } from "./events.ts";
import { matchId } from "./find.ts";
import type { AgentId, DecisionId, Moment } from "./ids.ts";
import { MAX_REQUEST_OPTIONS } from "./options.ts";
import { recipientOf } from "./requester.ts";
import type { OnCancel, Template, Urgency } from "./runbook.ts";
import type { State } from "./state.ts";
import { checkContext } from "./template.ts";

/** Who asks. An agent has one pending request at a time; a person at a shell may have several. */
export interface Requester {
  name: string;
  is_agent: boolean;
  /** An agent that we run, known by its token. */
  agent_id: AgentId | null;
  /** A session that we did not start, known by its hooks. */
  session: string | null;
}

export interface RequestInput {
  project: string;
  requester: Requester;
  prompt: string;
  options: { label: string; description: string | null }[];
  recommend: number | null;
  context: string;
  fields: Record<string, unknown>;
  urgency: Urgency | null;
  template: Template | null;
  blocks: string[];
  /** What becomes of what it blocks when it ends without an answer; null: as its template says, else it stays blocked. */
  on_cancel: OnCancel | null;
  parent: string | null;
  predecessor: string | null;
}

const MAX_PROMPT = 10_000;
const MAX_LABEL = 500;

/** Options that are looked at one by one: of ten thousand, their number is problem enough. */
const LOOKED_AT = 20;

export function requestDecision(state: Readonly<State>, input: RequestInput, moment: Moment): Fact[] {
  const options = input.options.length > 0 ? input.options : templateOptions(input.template);
  const problems = problemsOf(state, input, options);
  if (problems.length > 0) {
    const hint = `oj decision request --prompt "…" --option "label: description" --option "…"`;
    throw new Refusal("decision.invalid", `the request was refused: ${problems.join("; ")}`, hint, {
      problems,
    });
  }
  if (input.template) checkContext(input.template, input.fields);

  const id = moment.id("dec");
  const before = input.requester.is_agent ? pendingOf(state, input) : null;
  const inherited = before ? blockedWork(state, before) : [];
  const blocks = [...new Set([...inherited, ...workOf(state, input).blocks])];
  const superseded: Fact[] = before
    ? [{ type: "decision:superseded", id: before.id, project: before.project, superseded_by: id }]
    : [];
  return [
    {
      type: "decision:created",
      id,
      project: input.project,
      owner: { kind: "requester", id: ownerId(input.requester), name: input.requester.name },
      ...(input.requester.agent_id === null ? {} : { agent_id: input.requester.agent_id }),
      session: input.requester.session,
      source: "request",
      title: input.prompt,
      context: input.context,
      fields: input.fields,
      urgency: input.urgency ?? input.template?.urgency ?? "medium",
      options: options.map((it, index) => ({
        key: keyOf(it.label),
        label: it.label,
        description: it.description,
        recommended:
          input.recommend === null ? isRecommended(input.template, index) : input.recommend === index + 1,
        action: { type: "answer" },
      })),
      questions: [],
      action: null,
      requested_by: input.requester.name,
      template: input.template?.name ?? null,
      blocks,
      on_cancel: input.on_cancel ?? "keep",
      parent: linked(state, input.parent),
      predecessor: linked(state, input.predecessor),
      supersedes: before?.id ?? null,
      recipient: recipientOf(input.requester, input.project),
      created_at_ms: moment.at_ms,
    },
    ...superseded,
    ...blockFacts(state, id, blocks, before),
  ];
}

/** By their full ids; an agent knows the jobs of its own project. */
function workOf(
  state: Readonly<State>,
  { blocks, requester, project }: RequestInput,
): ReturnType<typeof namedWork> {
  return namedWork(state, blocks, requester.agent_id === null ? null : project);
}

function problemsOf(state: Readonly<State>, input: RequestInput, options: RequestInput["options"]): string[] {
  const problems: string[] = [];
  if (input.prompt.trim() === "") problems.push("the prompt is empty");
  if (input.prompt.length > MAX_PROMPT)
    problems.push(`the prompt has ${input.prompt.length} characters; at most ${MAX_PROMPT} are allowed`);
  if (options.length === 0) problems.push("it has no option");
  if (options.length > MAX_REQUEST_OPTIONS)
    problems.push(`it has ${options.length} options; at most ${MAX_REQUEST_OPTIONS} are allowed`);
  const labels = options.slice(0, LOOKED_AT).map((it) => it.label.trim());
  labels.forEach((label, index) => {
    if (label === "") problems.push(`option ${index + 1} has no label`);
    if (label.length > MAX_LABEL)
      problems.push(`the label of option ${index + 1} has more than ${MAX_LABEL} characters`);
    if (label !== "" && labels.indexOf(label) < index)
      problems.push(`option ${index + 1} repeats "${label}"`);
  });
  const { recommend } = input;
  if (recommend !== null && !(Number.isInteger(recommend) && recommend >= 1 && recommend <= options.length)) {
    problems.push(`--recommend ${recommend} is not one of its ${options.length} options`);
  }
  for (const [flag, text] of [
    ["--parent", input.parent],
    ["--predecessor", input.predecessor],
  ] as const) {
    if (text !== null && matchId(state.decisions.keys(), "dec", text).length !== 1)
      problems.push(`${flag} ${text} is no decision`);
  }
  return [...problems, ...workOf(state, input).problems];
}

function pendingOf(state: Readonly<State>, input: RequestInput): Decision | null {
  for (const id of state.pending) {
    const decision = state.decisions.get(id);
    if (decision?.source !== "request" || decision.project !== input.project) continue;
    if (decision.owner.id === ownerId(input.requester)) return decision;
  }
  return null;
}

/** Names may be shared, also by agents of one runbook; ids are not. */
function ownerId({ agent_id, session, name }: Requester): string {
  return agent_id ?? session ?? name;
}

function linked(state: Readonly<State>, text: string | null): DecisionId | null {
  return text === null ? null : (matchId(state.decisions.keys(), "dec", text)[0] ?? null);
}

function templateOptions(template: Template | null): RequestInput["options"] {
  return (template?.options ?? []).map((it) => ({
    label: it.label ?? it.key,
    description: it.description ?? null,
  }));
}

function isRecommended(template: Template | null, index: number): boolean {
  return template?.options[index]?.recommended ?? false;
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
