/** What happens to a job while somebody waits for it: its events as lines to read. */
import type { Event } from "../../core/events.ts";
import type { DecisionId } from "../../core/ids.ts";
import type { Style } from "../command.ts";
import { safeLine } from "../safe.ts";
import { markOf, roughDuration } from "./marks.ts";

export type Progress = (event: Event) => string[];

/** Remembers what earlier events said, so that a line can tell how long a step took and what is asked. */
export function progress(style: Style): Progress {
  const startedAt = new Map<string, number>();
  const asked = new Map<DecisionId, { title: string; options: number }>();
  const step = (status: Parameters<typeof markOf>[0], name: string, rest = "") =>
    `${markOf(status, style)} ${safeLine(name)}${rest && `  ${style.dim(safeLine(rest))}`}`;
  const took = (event: Event & { step: string }) => {
    const from = startedAt.get(event.step);
    return from === undefined ? "" : roughDuration(event.at_ms - from);
  };

  return (event) => {
    switch (event.type) {
      case "decision:created":
        asked.set(event.id, { title: event.title, options: event.options.length });
        return [];
      case "step:started":
        startedAt.set(event.step, event.at_ms);
        return [step("running", event.step, event.entry > 1 ? `time ${event.entry}` : "")];
      case "step:waiting": {
        if (event.decision_id === null) return [step("waiting", event.step, `waits for ${event.child_id}`)];
        const question = asked.get(event.decision_id);
        const answer = question
          ? `resolve ${event.decision_id} <1-${question.options}>`
          : `show ${event.decision_id}`;
        return [
          `${markOf("waiting", style)} ${safeLine(event.step)}  ${style.bold(safeLine(question?.title ?? "waits for an answer"))}`,
          `  → oj decision ${answer}`,
        ];
      }
      case "step:completed": {
        if (!event.choice) return [step("completed", event.step, took(event))];
        const { label, by, message } = event.choice;
        return [step("completed", event.step, `${label} (${by})${message && `: ${message}`}`)];
      }
      case "step:skipped":
        return [step("skipped", event.step, event.reason)];
      case "step:failed":
        return [step("failed", event.step, event.error)];
      case "step:cancelled":
        return [step("cancelled", event.step, "cancelled")];
      case "job:cancelling":
        return [`${markOf("cancelled", style)} ${safeLine(event.by)} cancels it; what runs is being stopped`];
      case "job:suspended":
        return [
          `${markOf("suspended", style)} suspended by ${safeLine(event.by)}`,
          `  → oj job resume ${event.id}`,
        ];
      case "job:resumed":
        return [`${markOf("running", style)} resumed by ${safeLine(event.by)}`];
      case "effect:failed":
        return [style.yellow(`! ${safeLine(event.effect)} failed: ${safeLine(event.error)}`)];
      default:
        return [];
    }
  };
}
