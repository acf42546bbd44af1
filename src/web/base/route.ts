/** Where we are in the page, kept in the address after the `#`, so that going back works. */
import { useEffect, useState } from "preact/hooks";
import type { HistoryQuery, StatsFilter } from "./api.ts";
import { HISTORY_FILTERS, STATS_FILTERS } from "./api.ts";

export type Route =
  | { page: "inbox"; id: string | null }
  | { page: "history"; id: string | null; query: HistoryQuery }
  | { page: "fleet" }
  | { page: "stats"; filter: StatsFilter }
  | { page: "device"; code: string }
  | { page: "passkey"; code: string }
  | { page: "job"; id: string };

function routeOf(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, id = null] = path.split("/");
  const params = new URLSearchParams(search);
  if (page === "fleet") return { page };
  if (page === "device") return { page, code: decoded(id ?? "") };
  if (page === "stats") return { page, filter: taken(params, STATS_FILTERS) };
  if (page === "job" && id) return { page, id: decoded(id) };
  if (page === "history")
    return {
      page,
      id: id && decoded(id),
      query: taken(params, HISTORY_FILTERS),
    };
  const passkey = new URLSearchParams(path).get("passkey"); // the form that `oj passkey add` writes
  if (passkey !== null) return { page: "passkey", code: passkey };
  const linked = new URLSearchParams(path).get("decision"); // the form that `oj web ID` writes
  return { page: "inbox", id: linked ?? (page === "decision" && id ? decoded(id) : null) };
}

function taken<T extends string>(params: URLSearchParams, names: readonly T[]): Record<T, string> {
  return Object.fromEntries(names.map((it) => [it, params.get(it) ?? ""])) as Record<T, string>;
}

export function decisionPath(id: string): string {
  return `#/decision/${encoded(id)}`;
}

export function jobPath(id: string): string {
  return `#/job/${encoded(id)}`;
}

export function historyPath(query: Partial<HistoryQuery>, id: string | null = null): string {
  return `#/history${id === null ? "" : `/${encoded(id)}`}${searchOf(query)}`;
}

export function statsPath(filter: Partial<StatsFilter>): string {
  return `#/stats${searchOf(filter)}`;
}

function searchOf(filters: Record<string, string>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** The decision that the address names now, even if nothing of it is drawn yet. */
export function opened(): string | null {
  const route = routeOf(location.hash);
  return route.page === "inbox" ? route.id : null;
}

/** Goes to another place; with `replace`, the browser's Back skips the current one. */
export function go(path: string, replace = false): void {
  if (location.hash === path) return;
  if (!replace) {
    location.hash = path;
    return;
  }
  history.replaceState(null, "", path);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const changed = () => setRoute(routeOf(location.hash));
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  return route;
}

/** Replaces lone surrogates, which can't be part of an address. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
