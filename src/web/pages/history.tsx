/** What was decided, the last settled first, with search and filters; each decision with its timeline. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { DecisionBrief } from "../../api/api.ts";
import type { Inbox } from "../../inbox/model.ts";
import type { HistoryQuery } from "../base/api.ts";
import { HISTORY_PAGE, historyPage } from "../base/api.ts";
import { go, historyPath } from "../base/route.ts";
import { dispatch } from "../base/store.ts";
import { Decision } from "../decision/decision.tsx";
import { SettledRow } from "../parts/settled-row.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { HistoryFilters } from "./history-filters.tsx";

interface Given {
  inbox: Inbox;
  query: HistoryQuery;
  id: string | null;
}

export function HistoryPage({ inbox, query, id }: Given) {
  const { briefs, state, more } = usePages(query);
  const change = (part: Partial<HistoryQuery>) => go(historyPath({ ...query, ...part }, id), true);
  const hasProjects = new Set(briefs.map((it) => it.project)).size > 1;
  const decision = id === null ? undefined : inbox.details.get(id);
  useEffect(() => {
    if (id !== null) dispatch({ type: "pointed", id });
  }, [id]);
  const back =
    id === null ? null : (
      <a class="back second button" href={historyPath(query)}>
        ← History
      </a>
    );
  return (
    <main class={`inbox history${id === null ? "" : " opened"}`}>
      <HistoryFilters query={query} change={change} />
      <section class="list-pane" aria-label="History">
        {state === "failed" ? (
          <p class="trouble" role="alert">
            The history could not be loaded.
          </p>
        ) : briefs.length === 0 ? (
          <div class="empty" role="status">
            <p class="empty-title">{state === "loading" ? "Loading…" : "Nothing found."}</p>
          </div>
        ) : (
          <VirtualList
            lines={briefs}
            idOf={(it) => it.id}
            selected={id}
            label={`${briefs.length}${state === "more" ? " or more" : ""} decisions, the last settled first`}
            onEnd={more}
            onMove={(chosen) => go(historyPath(query, chosen), true)}
            row={(brief, at) => (
              <SettledRow
                brief={brief}
                selected={brief.id === id}
                position={at + 1}
                total={state === "more" ? -1 : briefs.length}
                hasProjects={hasProjects}
                onPoint={(chosen) => go(historyPath(query, chosen))}
              />
            )}
          />
        )}
      </section>
      <section key={id} class="pane" aria-label="Decision">
        {decision ? (
          <Decision inbox={inbox} decision={decision} back={back} />
        ) : (
          <>
            {back}
            <div class="empty large">
              <p class="quiet">{id === null ? "Choose a decision to see how it went." : "Loading…"}</p>
            </div>
          </>
        )}
      </section>
    </main>
  );
}

/** Loads the next page as the end of the list comes into sight. */
function usePages(query: HistoryQuery) {
  const [briefs, setBriefs] = useState<readonly DecisionBrief[]>([]);
  const [state, setState] = useState<"loading" | "more" | "all" | "failed">("loading");
  const newest = useRef(0);
  const key = JSON.stringify(query);
  const fetchAfter = useCallback(
    (known: readonly DecisionBrief[]) => {
      const mine = ++newest.current;
      setState("loading");
      historyPage(JSON.parse(key) as HistoryQuery, known.at(-1)?.id ?? null).then(
        (found) => {
          if (mine !== newest.current) return;
          setBriefs([...known, ...found]);
          setState(found.length < HISTORY_PAGE ? "all" : "more");
        },
        () => mine === newest.current && setState("failed"),
      );
    },
    [key],
  );
  useEffect(() => fetchAfter([]), [fetchAfter]);
  const more = useCallback(() => {
    if (state === "more") fetchAfter(briefs);
  }, [state, briefs, fetchAfter]);
  return { briefs, state, more };
}
