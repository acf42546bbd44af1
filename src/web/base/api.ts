/** This page's API calls, all through one client, and the message for a call that failed. */
import type { DecisionBrief, DecisionQuery, ErrorBody, StatsQuery } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { localZone } from "../../inbox/figures.ts";
import { webClient } from "./client.ts";

export const client = webClient();

/** What the history is filtered by, as the address has it; "" is any. Days are written 2026-11-10. */
export type HistoryQuery = Record<(typeof HISTORY_FILTERS)[number], string>;
export const HISTORY_FILTERS = ["search", "by", "since", "until", "source", "project", "outcome"] as const;

export const HISTORY_PAGE = 50;

/** The last settled first; a day that is given as the end is included. */
export function settledQuery({ since, until, ...rest }: HistoryQuery): DecisionQuery {
  return { ...given(rest), order: "settled", ...spanOf(since, until) } as DecisionQuery;
}

/** What the figures are filtered by, as the address has it; "" is any. */
export type StatsFilter = Record<(typeof STATS_FILTERS)[number], string>;
export const STATS_FILTERS = ["since", "until", "project", "source"] as const;

/** In the days of whoever looks; a day that is given as the end is included. */
export function statsQueryOf({ since, until, ...rest }: StatsFilter): StatsQuery {
  return {
    ...given(rest),
    ...spanOf(since, until),
    zone: localZone(),
  } as StatsQuery;
}

function given<T extends Record<string, string>>(all: T): Partial<T> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")) as Partial<T>;
}

function spanOf(since: string, until: string): { since_ms?: number; until_ms?: number } {
  const from = midnight(since, 0);
  const to = midnight(until, 1);
  return { ...(from === null ? {} : { since_ms: from }), ...(to === null ? {} : { until_ms: to }) };
}

/** When a day begins here, or the one after it; null if it is not a day. */
function midnight(day: string, later: number): number | null {
  const [year = Number.NaN, month = 1, date = 1] = day.split("-").map(Number);
  const at = new Date(year, month - 1, date + later).getTime();
  return Number.isNaN(at) || at < 0 ? null : at;
}

/** One page of the history, the last settled first, following the page that ended with the given decision. */
export async function historyPage(
  query: HistoryQuery,
  before: string | null,
): Promise<readonly DecisionBrief[]> {
  const page = { limit: HISTORY_PAGE, ...(before === null ? {} : { before }) };
  return (await client.briefs({ ...settledQuery(query), ...page })).decisions;
}

export function isLoggedOut(error: unknown): boolean {
  return error instanceof Refusal && error.code === "login.required";
}

/** Whether this page was sent by `oj serve`, where a person's token logs in. */
export function takesToken(error: unknown): boolean {
  return error instanceof Refusal && (error.details?.with === "token" || isNamedAtDoor(error));
}

/** The end of a stream doesn't say how one logs in at this address; a call does. */
export async function withWaysIn(error: unknown): Promise<unknown> {
  if (!takesToken(error) || (error as Refusal).details?.provider !== undefined) return error;
  return client.me().then(
    () => error,
    (said: unknown) => (isLoggedOut(said) ? said : error),
  );
}

/** What the provider is called that people log in with here; null: there is none. */
export function providerIn(error: unknown): string | null {
  const name = error instanceof Refusal ? error.details?.provider : null;
  return typeof name === "string" ? name : null;
}

/** Whether the door that this page came through names the person: then no token is needed. */
export function isNamedAtDoor(error: unknown): boolean {
  return error instanceof Refusal && error.details?.with === "door";
}

/** The daemon's own words, or a message that it can't be reached. */
export function errorOf(error: unknown): ErrorBody["error"] {
  if (error instanceof Refusal) return { code: error.code, message: error.message, hint: error.hint };
  return { code: "daemon.unreachable", message: "the daemon can't be reached", hint: null };
}
