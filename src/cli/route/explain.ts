/** `oj route explain`: who hears of a decision, when, by which channel, and why. */
import type { ExplainedView } from "../../api/api.ts";
import { formatDuration } from "../../core/text/duration.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "route explain",
  summary: "See who hears of a decision, when, how and why",
  args: "ID",
  flags: {},
  completes: "decision",
  examples: [
    { run: "oj route explain 7k3", does: "the route that takes it, why the others don't, each level" },
  ],

  async run({ client, json, out }, [id, ...more]) {
    if (id === undefined || more.length > 0) throw usage("oj route explain takes one ID", "oj decision list");
    const explained = await client.explainRoute(id);
    if (json) return out.json(explained);
    for (const line of explainedLines(explained, out.style)) out.print(line);
  },
});

export function explainedLines({ routes, route, escalation, steps }: ExplainedView, style: Style): string[] {
  const lines = routes.map(({ number, mismatches }) =>
    mismatches.length === 0
      ? `${style.green("✓")} route ${number} matches`
      : `${style.dim("–")} route ${number} doesn't: ${mismatches.map(safeLine).join("; ")}`,
  );
  if (route === null)
    lines.push(
      routes.length === 0
        ? "there are no routes, so nobody is notified by one"
        : "no route matches, so nobody is notified by one",
    );
  if (escalation !== null) lines.push(`escalation ${safeLine(escalation)}`);
  return [...lines, ...steps.flatMap((it) => ["", ...stepLines(it, style)])];
}

function stepLines(step: ExplainedView["steps"][number], style: Style): string[] {
  const when = step.after_ms === 0 ? "at once" : `after ${formatDuration(step.after_ms)}`;
  const head = step.level === null ? when : `level ${step.level}, ${when}`;
  const off = new Set(step.people.filter((it) => !it.is_on).map((it) => it.name));
  const named = (name: string) => (off.has(name) ? `${name} (outside their hours)` : name);
  const then = [
    ...(step.remind_ms === null ? [] : [`a reminder after ${formatDuration(step.remind_ms)}`]),
    ...(step.next_ms === null ? [] : [`the next level after ${formatDuration(step.next_ms)}`]),
  ];
  return [
    `${style.bold(head)}: ${step.names.map(safeLine).join(", ") || "nobody"}`,
    ...step.notices.map(
      ({ channel, to, people, is_instead }) =>
        `  ${channel} to ${safeLine(to)}${people.length > 0 ? `, for ${people.map(named).join(", ")}` : ""}${is_instead ? " (in place of a channel that can't be used)" : ""}`,
    ),
    ...step.missed.map(({ name, why }) => `  ${style.yellow("!")} ${safeLine(name)}: ${safeLine(why)}`),
    ...then.map((it) => `  ${style.dim(it)}`),
  ];
}
