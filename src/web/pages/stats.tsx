/** How it is going: what was asked and answered in a span of time, how long it took, whom it interrupted. */
import type { StatsView } from "../../api/api.ts";
import { SOURCES } from "../../core/model/decision-types.ts";
import { spanWords } from "../../inbox/figures.ts";
import { safeLine } from "../../text/safe.ts";
import type { StatsFilter } from "../base/api.ts";
import { client, statsQueryOf } from "../base/api.ts";
import { useFresh } from "../base/fresh.ts";
import { go, statsPath } from "../base/route.ts";
import { Day, Pick, useNames } from "../parts/filters.tsx";
import { Answers, AnswerTimes, Days, Expired, Interruptions } from "./stats-plots.tsx";

/** Figures are looked at, not watched: often enough for both. */
const QUIET_MS = 1000;

export function StatsPage({ filter }: { filter: StatsFilter }) {
  const key = JSON.stringify(filter);
  const { value: stats, error } = useFresh(key, () => client.stats(statsQueryOf(filter)), QUIET_MS);
  return (
    <main class="page stats">
      <h2 tabIndex={-1}>Stats</h2>
      <Filters filter={filter} />
      {error !== null && (
        <p class="trouble" role="alert">
          {safeLine(error)}
        </p>
      )}
      {stats === null && error === null && <p role="status">Loading…</p>}
      {stats && <Figures stats={stats} />}
    </main>
  );
}

function Filters({ filter }: { filter: StatsFilter }) {
  const { projects } = useNames();
  const pick = (name: keyof StatsFilter) => ({
    value: filter[name],
    onPick: (value: string) => go(statsPath({ ...filter, [name]: value }), true),
  });
  return (
    <search class="filters" aria-label="Stats">
      <Day label="From" {...pick("since")} />
      <Day label="To" {...pick("until")} />
      <Pick label="Project" any="Any project" values={projects} {...pick("project")} />
      <Pick label="Source" any="Any source" values={SOURCES} {...pick("source")} />
    </search>
  );
}

function Figures({ stats }: { stats: StatsView }) {
  return (
    <>
      <Totals stats={stats} />
      {stats.is_rounded && (
        <p class="quiet">Some of these were deleted long ago, and are only known by the day or the month.</p>
      )}
      <Days stats={stats} />
      <AnswerTimes stats={stats} />
      <Answers stats={stats} />
      <Interruptions stats={stats} />
      <Expired stats={stats} />
      <Recurring stats={stats} />
    </>
  );
}

function Totals({ stats }: { stats: StatsView }) {
  const { choices, times, pending, oldest_pending_ms: oldest } = stats;
  const took = ({ median_ms, p90_ms }: StatsView["times"]["answer"]) =>
    median_ms === null || p90_ms === null ? ["–", ""] : [spanWords(median_ms), `p90 ${spanWords(p90_ms)}`];
  const share = choices.could_be_recommended;
  const rows: [name: string, figure: string | number, more?: string][] = [
    ["Asked", stats.asked],
    ["Answered", stats.answered],
    ["Expired", stats.expired, stats.defaulted > 0 ? `${stats.defaulted} by default` : ""],
    ["Withdrawn", stats.withdrawn],
    ["Dismissed", stats.dismissed],
    ["Superseded", stats.superseded],
    ["Pending now", pending, oldest === null ? "" : `oldest ${spanWords(oldest)}`],
    ["First look", ...(took(times.first_look) as [string, string])],
    ["Answer", ...(took(times.answer) as [string, string])],
    ["Acknowledged", ...(took(times.acknowledgement) as [string, string])],
    ["Recommended", share === 0 ? "–" : `${choices.recommended} of ${share}`],
    ["Own words", choices.own_words],
    ["Undone", choices.undone],
  ];
  return (
    <dl class="totals">
      {rows.map(([name, figure, more = ""]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {typeof figure === "number" ? figure.toLocaleString("en") : figure}
            {more !== "" && <span class="quiet"> {more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Recurring({ stats: { recurring } }: { stats: StatsView }) {
  if (recurring.length === 0) return null;
  return (
    <section class="plot" aria-label="Keeps coming back">
      <h3>Keeps coming back</h3>
      <ol class="recurring">
        {recurring.map(({ last_id, count, title }) => (
          <li key={last_id}>
            <span class="strip-words">{count}×</span> {safeLine(title)}
          </li>
        ))}
      </ol>
    </section>
  );
}
