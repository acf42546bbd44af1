/** What is to happen while nobody answers a request: as it says itself, its template, and the runbook of whoever asks. */
import type { Overdue, Template } from "../model/runbook.ts";
import type { State } from "../model/state/state.ts";
import { suggest } from "../text/suggest.ts";
import type { RequestInput, RequestOption, RequestProblem } from "./types.ts";

/** The nearest comes first. */
export function requestOverdue(
  state: Readonly<State>,
  input: RequestInput,
  template: Template | null,
  options: readonly RequestOption[],
): (Overdue | undefined)[] {
  const { agent_id, asked_in } = input.requester;
  const agent = agent_id === null ? undefined : state.agents.get(agent_id);
  const job = asked_in && state.jobs.get(asked_in.job_id);
  return [own(input, options), template ?? undefined, agent?.def.notify, job?.def.notify, onRoute(input)];
}

function onRoute({ overdue, runbook }: RequestInput): Overdue {
  const chain = runbook.escalations?.find((it) => it.name === overdue?.on_route);
  return chain ? { chain } : {};
}

function own({ overdue, runbook }: RequestInput, options: readonly RequestOption[]): Overdue {
  const chain = runbook.escalations?.find((it) => it.name === overdue?.escalation);
  const chosen = overdue?.default ? optionNamed(options, overdue.default) : undefined;
  return {
    ...(chain ? { chain } : {}),
    ...(overdue?.deadline_ms ? { deadline_ms: overdue.deadline_ms } : {}),
    ...(chosen ? { default: chosen.key } : {}),
  };
}

export function overdueProblems(
  { overdue, runbook }: RequestInput,
  template: Template | null,
  options: readonly RequestOption[],
): RequestProblem[] {
  const {
    escalation,
    default: key,
    deadline_ms,
  } = overdue ?? { escalation: null, default: null, deadline_ms: null };
  const problems: RequestProblem[] = [];
  const known = (runbook.escalations ?? []).map((it) => it.name);
  const chain = runbook.escalations?.find((it) => it.name === escalation);
  if (escalation !== null && !chain) {
    const near = suggest(escalation, known);
    const hint = near ? `did you mean --escalation ${near}?` : `known: ${known.join(", ") || "none"}`;
    problems.push({
      code: "decision.invalid",
      message: `escalation "${escalation}" does not exist`,
      hints: [hint],
    });
  }
  if (key === null) return problems;
  const hasDeadline = [
    deadline_ms,
    chain?.deadline_ms,
    template?.deadline_ms,
    template?.chain?.deadline_ms,
  ].some((it) => it != null);
  if (!hasDeadline)
    problems.push({
      code: "decision.invalid",
      message: "--default needs --deadline",
      hints: ["like --deadline 4h"],
    });
  if (!optionNamed(options, key))
    problems.push({
      code: "decision.invalid",
      message: `--default ${key} is not one of its options`,
      hints: [`known: ${options.map((it) => it.key).join(", ")}`],
    });
  return problems;
}

/** By its key, its label or its number. */
function optionNamed(options: readonly RequestOption[], name: string): RequestOption | undefined {
  const plain = name.trim().toLowerCase();
  return (
    options.find((it) => it.key === plain || it.label.trim().toLowerCase() === plain) ??
    (/^\d+$/.test(plain) ? options[Number(plain) - 1] : undefined)
  );
}
