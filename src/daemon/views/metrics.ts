/** The figures in Prometheus' text format, version 0.0.4. Counts since the beginning never go down. */
import type { Totals } from "../../core/figures/totals.ts";

export interface Running {
  version: string;
  uptime_ms: number;
  seq: number;
  memory_bytes: number;
  live_agents: number;
  now: number;
}

type Labels = Readonly<Record<string, string>>;
interface Sample {
  /** After the metric's name: `_sum`. */
  suffix?: string;
  labels?: Labels;
  value: number;
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function metricsText(totals: Totals, running: Running): string {
  const { asked, settled, answers, pending, stale, oldest_pending_at_ms, waited, waited_ms } = totals;
  const { interruptions, notices } = totals;
  const age = oldest_pending_at_ms === null ? 0 : Math.max(0, running.now - oldest_pending_at_ms);
  return [
    ...metric("oj_decisions_total", "counter", "Decisions that were asked.", counts(asked)),
    ...metric(
      "oj_decisions_settled_total",
      "counter",
      "Decisions that ended, by how they ended.",
      counts(settled.map(({ state, ...it }) => ({ ...it, outcome: OUTCOMES[state] ?? state }))),
    ),
    ...metric(
      "oj_answers_total",
      "counter",
      "Answers that people gave, by who gave them and where.",
      counts(answers.map(({ by, via, count }) => ({ person: by, channel: via, count }))),
    ),
    ...metric("oj_decisions_pending", "gauge", "Decisions that wait for an answer.", counts(pending)),
    ...metric("oj_decisions_stale", "gauge", "Pending decisions that wait for too long.", counts(stale)),
    ...metric("oj_oldest_pending_seconds", "gauge", "How long the oldest pending decision has waited.", [
      { value: age / 1000 },
    ]),
    ...metric("oj_answer_seconds", "histogram", "How long decisions waited for their answer.", [
      ...waited.map(({ up_to_s, count }) => ({
        suffix: "_bucket",
        labels: { le: up_to_s === null ? "+Inf" : String(up_to_s) },
        value: count,
      })),
      { suffix: "_sum", value: waited_ms / 1000 },
      { suffix: "_count", value: waited.at(-1)?.count ?? 0 },
    ]),
    ...metric(
      "oj_interruptions_total",
      "counter",
      "Messages that interrupted somebody, by person and hour of the day (UTC).",
      counts(interruptions.map(({ hour, ...it }) => ({ ...it, hour: String(hour).padStart(2, "0") }))),
    ),
    ...metric("oj_notices_owed", "gauge", "Messages that wait to be sent, by channel.", counts(notices.owed)),
    ...metric(
      "oj_notices_sent_total",
      "counter",
      "Messages that were sent, by channel.",
      counts(notices.sent),
    ),
    ...metric(
      "oj_notices_failed_total",
      "counter",
      "Tries to send or rewrite a message that failed, by channel.",
      counts(notices.failed),
    ),
    ...metric("oj_log_events_total", "counter", "Events in the log.", [{ value: running.seq }]),
    ...metric("oj_live_agents", "gauge", "Agents whose terminal is open.", [{ value: running.live_agents }]),
    ...metric("oj_memory_bytes", "gauge", "Resident memory of the daemon.", [
      { value: running.memory_bytes },
    ]),
    ...metric("oj_uptime_seconds", "gauge", "How long the daemon has been running.", [
      { value: running.uptime_ms / 1000 },
    ]),
    ...metric("oj_info", "gauge", "The version of the daemon.", [
      { labels: { version: running.version }, value: 1 },
    ]),
    "",
  ].join("\n");
}

const OUTCOMES: Readonly<Record<string, string>> = { resolved: "answered" };

function counts(all: readonly { count: number }[]): Sample[] {
  return all.map(({ count, ...labels }) => ({ labels: labels as Labels, value: count }));
}

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string[] {
  const lines = samples.map(({ suffix = "", labels = {}, value }) => {
    const inner = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${suffix}${inner.length > 0 ? `{${inner.join(",")}}` : ""} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

/** What a label's value may not contain as it is; a name is whatever somebody typed. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
