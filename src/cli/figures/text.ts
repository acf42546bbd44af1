/** The figures as people read them in a terminal. */
import type { StatsGroup, StatsView } from "../../api/api.ts";
import { spanWords } from "../../inbox/figures.ts";
import { hang, pad, table, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";

interface Look {
  style: Style;
  width: number;
  by: "source" | "person" | "channel" | null;
}

export function statsText(stats: StatsView, { style, width, by }: Look): string {
  if (by !== null) return groupTable(by, stats[`by_${by}`], style);
  const { choices, times, pending, oldest_pending_ms: oldest } = stats;
  const share = choices.could_be_recommended;
  const rows: [string, string][] = [
    ["asked", String(stats.asked)],
    ["answered", answeredWords(stats)],
    [
      "expired",
      stats.defaulted === 0 ? String(stats.expired) : `${stats.expired}, ${stats.defaulted} by default`,
    ],
    ["withdrawn", String(stats.withdrawn)],
    ["dismissed", String(stats.dismissed)],
    ["superseded", String(stats.superseded)],
    ["pending now", oldest === null ? "0" : `${pending}, the oldest for ${spanWords(oldest)}`],
    ["", ""],
    ["first look", timeWords(times.first_look)],
    ["answer", timeWords(times.answer)],
    ["acknowledged", timeWords(times.acknowledgement)],
    ["", ""],
    ["recommended", share === 0 ? "none was" : `chosen in ${choices.recommended} of ${share}`],
    ["own words", String(choices.own_words)],
    ["undone", String(choices.undone)],
    ...interruptedRow(stats),
  ];
  const left = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, words]) => (name === "" ? "" : `${style.dim(pad(name, left))}  ${words}`));
  if (stats.recurring.length === 0) return lines.join("\n");
  const again = stats.recurring
    .slice(0, 5)
    .flatMap(({ count, title }) =>
      hang(`${pad(`${count}×`, left)}  `, truncate(safeLine(title), Math.max(20, width - left - 2)), width),
    );
  return [...lines, "", style.bold("keeps coming back"), ...again].join("\n");
}

/** "48, 20 by policies". */
function answeredWords({ answered, by_channel }: StatsView): string {
  const ruled = by_channel.find((it) => it.name === "policy")?.answered ?? 0;
  return ruled === 0 ? String(answered) : `${answered}, ${ruled} by policies`;
}

/** "ana 12×, most at 14:00": whom messages interrupted, and when. */
function interruptedRow({ interruptions }: StatsView): [string, string][] {
  if (interruptions.length === 0) return [];
  const words = interruptions.map(({ person, count, hours }) => {
    const busiest = hours.indexOf(Math.max(...hours));
    return `${safeLine(person)} ${count}×, most at ${String(busiest).padStart(2, "0")}:00`;
  });
  return [["interrupted", words.join("; ")]];
}

/** "2m (nine in ten within 14m), of 31": how long, and what it rests on. */
function timeWords({ median_ms, p90_ms, count }: StatsView["times"]["answer"]): string {
  if (median_ms === null || p90_ms === null) return "none";
  return `${spanWords(median_ms)} in the middle, nine in ten within ${spanWords(p90_ms)} (of ${count})`;
}

function groupTable(by: string, groups: readonly StatsGroup[], style: Style): string {
  if (groups.length === 0) return "nothing was asked or answered";
  const isBySource = by === "source";
  const head = [
    by,
    ...(isBySource ? ["asked"] : []),
    "answered",
    ...(isBySource ? ["expired"] : []),
    "median",
    "p90",
  ];
  const rows = groups.map(({ name, asked, answered, expired, answer }) => [
    safeLine(name),
    ...(isBySource ? [String(asked)] : []),
    String(answered),
    ...(isBySource ? [String(expired)] : []),
    answer.median_ms === null ? "–" : spanWords(answer.median_ms),
    answer.p90_ms === null ? "–" : spanWords(answer.p90_ms),
  ]);
  const paint = (cell: string, row: number) => (row === 0 ? style.dim(cell) : cell);
  return table([head.map((it) => it.toUpperCase()), ...rows], { heading: true, paint }).join("\n");
}
