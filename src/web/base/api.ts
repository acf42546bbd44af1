/** This page's API calls, all through one client, and the message for a call that failed. */
import type { DecisionBrief, ErrorBody } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { webClient } from "./client.ts";

export const client = webClient();

export interface HistoryQuery {
  search: string;
  state: string;
  source: string;
  project: string;
}

export const HISTORY_PAGE = 50;

/** One page of the history, newest first, following the page that ended with the given decision. */
export async function historyPage(
  query: HistoryQuery,
  before: string | null,
): Promise<readonly DecisionBrief[]> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  const page = { all: true, limit: HISTORY_PAGE, ...(before === null ? {} : { before }) };
  return (await client.briefs({ ...given, ...page })).decisions;
}

export function isLoggedOut(error: unknown): boolean {
  return error instanceof Refusal && error.code === "login.required";
}

/** The daemon's own words, or a message that it can't be reached. */
export function errorOf(error: unknown): ErrorBody["error"] {
  if (error instanceof Refusal) return { code: error.code, message: error.message, hint: error.hint };
  return { code: "daemon.unreachable", message: "the daemon can't be reached", hint: null };
}
