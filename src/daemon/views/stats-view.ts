/** The figures as the API returns them, and as a program that watches reads them. */
import type { StatsView } from "../../api/api.ts";
import type { StatsQuery } from "../../core/figures/stats.ts";
import { statsOf } from "../../core/figures/stats.ts";
import type { State } from "../../core/model/state/state.ts";

export function statsView(state: Readonly<State>, query: StatsQuery, now: number): StatsView {
  const stats = statsOf(state, query, now);
  return {
    ...stats,
    recurring: stats.recurring.flatMap((it) => {
      const decision = state.decisions.peek(it.last_id);
      if (!decision) return [];
      const { title, project, source } = decision;
      return [{ ...it, title, project, source }];
    }),
  };
}
