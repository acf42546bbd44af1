/** Every decision there ever was, with search and filters, each with its timeline. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { DecisionBrief } from "../../api/api.ts";
import { SOURCES } from "../../core/model/decision-types.ts";
import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import type { HistoryQuery } from "../base/api.ts";
import { HISTORY_PAGE, historyPage } from "../base/api.ts";
import { go, historyPath } from "../base/route.ts";
import { dispatch } from "../base/store.ts";
import { Decision } from "../decision/decision.tsx";
import { Row } from "../parts/row.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";

const STATES = ["pending", "resolved", "dismissed", "superseded", "withdrawn", "expired"] as const;
const TYPING_MS = 200;

interface Given {
  inbox: Inbox;
  query: HistoryQuery;
  id: string | null;
}

export function HistoryPage({ inbox, query, id }: Given) {
  const { briefs, state, more } = usePages(query);
  const change = (part: Partial<HistoryQuery>) => go(historyPath({ ...query, ...part }, id), true);
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
    <main class={`inbox${id === null ? "" : " opened"}`}>
      <section class="list-pane" aria-label="History">
        <Filters query={query} change={change} />
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
            label={`${briefs.length}${state === "more" ? " or more" : ""} decisions, newest first`}
            onEnd={more}
            onMove={(chosen) => go(historyPath(query, chosen), true)}
            row={(brief, at) => (
              <Row
                brief={brief}
                now={Date.now()}
                selected={brief.id === id}
                position={at + 1}
                total={state === "more" ? -1 : briefs.length}
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

function Filters({ query, change }: { query: HistoryQuery; change(part: Partial<HistoryQuery>): void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (part: Partial<HistoryQuery>) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change(part), TYPING_MS);
  };
  return (
    <search class="list-head" aria-label="History">
      <input
        type="search"
        aria-label="Search the history"
        placeholder="Search titles, words, people"
        value={query.search}
        onInput={(event) => later({ search: event.currentTarget.value })}
      />
      <div class="filters">
        <Pick label="State" value={query.state} values={STATES} onPick={(state) => change({ state })} />
        <Pick label="Source" value={query.source} values={SOURCES} onPick={(source) => change({ source })} />
        <label class="pick">
          <span>Project</span>
          <input
            type="text"
            value={safeLine(query.project)}
            placeholder="any"
            onInput={(event) => later({ project: event.currentTarget.value })}
          />
        </label>
      </div>
    </search>
  );
}

interface PickGiven {
  label: string;
  value: string;
  values: readonly string[];
  onPick(value: string): void;
}

function Pick({ label, value, values, onPick }: PickGiven) {
  return (
    <label class="pick">
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        <option value="">any</option>
        {values.map((it) => (
          <option key={it} value={it}>
            {it}
          </option>
        ))}
      </select>
    </label>
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
