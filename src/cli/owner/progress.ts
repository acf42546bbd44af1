/** What happens to a job or crew while somebody waits for it: its events as lines to read. */
import type { Event } from "../../core/model/events.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { jobOf } from "./follow.ts";
import { markOf, roughDuration } from "./marks.ts";
import { safeLog } from "./safe-log.ts";

type DecisionCreated = Extract<Event, { type: "decision:created" }>;
type Status = Parameters<typeof markOf>[0];

export type Progress = (event: Event) => string[];

/** Remembers what earlier events said: how long a step takes, what is asked, and which jobs belong to others. */
export function progress(style: Style): Progress {
  const startedAt = new Map<string, number>();
  const asked = new Map<DecisionId, DecisionCreated>();
  const depths = new Map<string, number>();
  const linesOf = describer(style, startedAt, asked);
  return (event) => {
    const depth = depths.get(jobOf(event)) ?? 0;
    if (event.type === "decision:created") asked.set(event.id, event);
    if (event.type === "step:started") startedAt.set(`${event.job_id} ${event.step}`, event.at_ms);
    if (event.type === "step:waiting" && event.child_id) depths.set(event.child_id, depth + 1);
    return linesOf(event).map((line) => "  ".repeat(depth) + line);
  };
}

function describer(
  style: Style,
  startedAt: Map<string, number>,
  asked: Map<DecisionId, DecisionCreated>,
): Progress {
  const step = (status: Status, name: string, rest = "") =>
    `${markOf(status, style)} ${safeLine(name)}${rest && `  ${style.dim(safeLine(rest))}`}`;

  const question = (mark: string, id: DecisionId) => {
    const found = asked.get(id);
    const title = style.bold(safeLine(found?.title ?? "waiting for an answer"));
    const answer = found ? `resolve ${id} <1-${found.options.length}>` : `show ${id}`;
    return [`${mark}  ${title}`, `  ${style.cyan("→")} oj decision ${answer}`];
  };

  return (event) => {
    switch (event.type) {
      case "step:started":
        return [step("running", event.step, event.entry > 1 ? `time ${event.entry}` : "")];
      case "step:waiting":
        if (event.decision_id === null) return [step("waiting", event.step, `waiting for ${event.child_id}`)];
        return question(step("waiting", event.step), event.decision_id);
      case "crew:waiting":
        return question(markOf("waiting", style), event.decision_id);
      case "crew:resumed":
        return [`${markOf("running", style)} ${event.by ? `resumed by ${safeLine(event.by)}` : "continues"}`];
      case "step:completed": {
        const from = startedAt.get(`${event.job_id} ${event.step}`);
        if (!event.choice)
          return [step("completed", event.step, from === undefined ? "" : roughDuration(event.at_ms - from))];
        const { label, by, message } = event.choice;
        return [step("completed", event.step, `${label} (${by})${message && `: ${message}`}`)];
      }
      case "step:skipped":
        return [step("skipped", event.step, event.reason)];
      case "step:failed":
        return failure(step, event);
      case "step:cancelled":
        return [step("cancelled", event.step, "cancelled")];
      case "job:cancelling":
        return [
          `${markOf("cancelled", style)} cancelled by ${safeLine(event.by)}; what runs is being stopped`,
        ];
      case "job:suspended":
        return [
          `${markOf("suspended", style)} suspended by ${safeLine(event.by)}`,
          `  ${style.cyan("→")} oj job resume ${event.id}`,
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

/** What failed in a line; the end of what it wrote, if that came with the error, below. */
function failure(
  step: (status: "failed", name: string, rest: string) => string,
  event: { step: string; error: string },
): string[] {
  const [what = "", ...output] = safeLog(event.error).trimEnd().split("\n");
  return [step("failed", event.step, what), ...output.map((line) => `  │ ${line}`)];
}
