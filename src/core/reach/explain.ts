/** Why a decision goes to whom: the route that took it, why the others did not, and what each level does. */
import type { EscalationDef } from "../model/reach-types.ts";
import type { ReachConfig } from "./config-types.ts";
import { isWithin } from "./hours.ts";
import type { Plan, Telling } from "./plan.ts";
import type { Routed } from "./route.ts";
import { mismatchesOf } from "./route.ts";
import { nameProblem, peopleOf } from "./who.ts";

export interface Explained {
  /** Each route up to the one that matches; empty reasons: it matches. */
  routes: { number: number; mismatches: string[] }[];
  /** The number of the route that matches; null: none does. */
  route: number | null;
  /** The name of the escalation, its own or the route's; null: there is none. */
  escalation: string | null;
  /** What happens in which order; without an escalation only the first. */
  steps: ExplainedStep[];
}

export interface ExplainedStep {
  /** Counted from 1; null: at once, without an escalation. */
  level: number | null;
  /** How long after the beginning, if nobody answers or claims it. */
  after_ms: number;
  names: string[];
  people: { name: string; is_on: boolean }[];
  notices: { channel: string; to: string; people: string[]; is_instead: boolean }[];
  missed: { name: string; why: string }[];
  remind_ms: number | null;
  next_ms: number | null;
}

type Decided = Routed & { escalation?: { def: EscalationDef; is_given?: true } };

export function explainRoute(
  config: ReachConfig,
  decision: Decided,
  { planFor, at_ms }: { planFor(telling: Telling): Plan; at_ms: number },
): Explained {
  const all = config.routes.map((it, index) => ({
    number: index + 1,
    mismatches: mismatchesOf(it, decision),
    def: it,
  }));
  const at = all.findIndex((it) => it.mismatches.length === 0);
  const found = all[at];
  const routes = all.slice(0, at < 0 ? undefined : at + 1);
  const own = decision.escalation?.def;

  function step(
    names: readonly string[],
    via: readonly string[] | null,
    more: Pick<ExplainedStep, "level" | "after_ms" | "remind_ms" | "next_ms">,
  ): ExplainedStep {
    const { notices, missed } = planFor({ names, via, reason: more.level === null ? "asked" : "level" });
    const unknown = names.flatMap((name) => {
      const why = nameProblem(config, name);
      return why === null ? [] : [{ name, why }];
    });
    return {
      ...more,
      names: [...names],
      people: peopleOf(config, names, at_ms).map((it) => ({
        name: it.name,
        is_on: isWithin(it.hours, at_ms),
      })),
      notices: notices.map(({ channel, to, names: people, reason }) => ({
        channel,
        to,
        people: [...people],
        is_instead: reason === "instead",
      })),
      missed: [...unknown, ...missed],
    };
  }

  const steps: ExplainedStep[] = [];
  const isTold = !decision.escalation || decision.escalation.is_given; // its own has its first level instead
  if (found && found.def.notify.length > 0 && isTold)
    steps.push(
      step(found.def.notify, found.def.via, { level: null, after_ms: 0, remind_ms: null, next_ms: null }),
    );
  let after_ms = 0;
  for (const [index, { notify, via, remind_ms, next_ms }] of (own?.levels ?? []).entries()) {
    steps.push(step(notify, via, { level: index + 1, after_ms, remind_ms, next_ms }));
    if (next_ms === null) break;
    after_ms += next_ms;
  }
  return {
    routes: routes.map(({ number, mismatches }) => ({ number, mismatches })),
    route: found?.number ?? null,
    escalation: own?.name ?? found?.def.escalation ?? null,
    steps,
  };
}
