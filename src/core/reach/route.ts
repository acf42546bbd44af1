/** Which route a decision takes: the first that matches. */
import type { Decision } from "../model/decision-types.ts";
import type { ReachConfig, RouteDef } from "./config-types.ts";

export type Routed = Pick<Decision, "project" | "source" | "urgency">;

/** Null: no route matches, and nobody is notified. */
export function routeFor({ routes }: Pick<ReachConfig, "routes">, decision: Routed): RouteDef | null {
  return routes.find((it) => mismatchesOf(it, decision).length === 0) ?? null;
}

/** Why a route doesn't take a decision; empty if it does. */
export function mismatchesOf(route: RouteDef, decision: Routed): string[] {
  return (["project", "source", "urgency"] as const).flatMap((key) => {
    const wanted: readonly string[] | null = route[key];
    if (wanted === null || wanted.includes(decision[key])) return [];
    return [`${key} is ${decision[key]}, not ${wanted.join(" or ")}`];
  });
}
