/** The filters of the history, in one row, and what it can be exported as. */
import { useRef, useState } from "preact/hooks";
import { SOURCES } from "../../core/model/decision-types.ts";
import { OUTCOMES } from "../../core/model/outcome.ts";
import type { ExportFormat } from "../../inbox/history.ts";
import { safeLine } from "../../text/safe.ts";
import type { HistoryQuery } from "../base/api.ts";
import { errorOf } from "../base/api.ts";
import { downloadHistory } from "../base/download.ts";
import { Day, Pick, useNames } from "../parts/filters.tsx";

const TYPING_MS = 200;

interface Given {
  query: HistoryQuery;
  change(part: Partial<HistoryQuery>): void;
}

export function HistoryFilters({ query, change }: Given) {
  const { people, projects } = useNames();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (part: Partial<HistoryQuery>) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change(part), TYPING_MS);
  };
  const pick = (name: keyof HistoryQuery) => ({
    value: query[name],
    onPick: (value: string) => change({ [name]: value }),
  });
  return (
    <search class="filters" aria-label="History">
      <input
        type="search"
        aria-label="Search the history"
        placeholder="Search titles, commands, answers"
        value={query.search}
        onInput={(event) => later({ search: event.currentTarget.value })}
      />
      <Day label="From" {...pick("since")} />
      <Day label="To" {...pick("until")} />
      <Pick label="Person" any="Anyone" values={people} {...pick("by")} />
      <Pick label="Outcome" any="Any outcome" values={OUTCOMES} {...pick("outcome")} />
      <Pick label="Source" any="Any source" values={SOURCES} {...pick("source")} />
      <Pick label="Project" any="Any project" values={projects} {...pick("project")} />
      <Export query={query} />
    </search>
  );
}

/** Both formats take everything that the filters find. */
function Export({ query }: { query: HistoryQuery }) {
  const [state, setState] = useState<{ count: number } | { error: string } | null>(null);
  const isBusy = state !== null && "count" in state;
  const start = (format: ExportFormat) => {
    setState({ count: 0 });
    downloadHistory(query, format, (count) => setState({ count })).then(
      () => setState(null),
      (error) => setState({ error: errorOf(error).message }),
    );
  };
  return (
    <span class="exports">
      {(["csv", "json"] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="second"
          aria-label={`Export as ${format.toUpperCase()}`}
          disabled={isBusy}
          onClick={() => start(format)}
        >
          {format.toUpperCase()}
        </button>
      ))}
      <span class="quiet" role="status">
        {isBusy && state.count > 0 && `${state.count.toLocaleString("en")}…`}
        {state !== null && "error" in state && safeLine(state.error)}
      </span>
    </span>
  );
}
