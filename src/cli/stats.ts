/** `oj stats`: how it is going. */
import { localZone } from "../inbox/figures.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import { chosenProject, oneOf, projectFlag } from "./base/values.ts";
import { statsText } from "./figures/text.ts";
import { sinceOf, untilOf } from "./history/moments.ts";

export const GROUPS = ["source", "person", "channel"] as const;

export const command = defineCommand({
  name: "stats",
  summary: "Show what was asked and answered, and how long it took",
  args: "",
  flags: {
    since: { type: "string", value: "D", help: "only what happened since then: 7d, 2026-11-10, today" },
    until: { type: "string", value: "D", help: "only what happened until then" },
    ...projectFlag,
    by: { type: "string", value: "WHAT", help: "a row for each source, person or channel" },
  },
  examples: [
    { run: "oj stats --since 7d", does: "the last week" },
    { run: "oj stats --by person", does: "who answers how much, and how fast" },
    { run: "oj stats -o json | jq .times.answer.median_ms", does: "one of the figures" },
  ],

  async run(context, [more], { since, until, project, by }) {
    const { client, json, out, now } = context;
    if (more !== undefined) throw usage(`oj stats takes no "${more}"`, "oj stats --by source");
    const grouped = oneOf("--by", by, GROUPS);
    const since_ms = sinceOf(since, now());
    const until_ms = untilOf(until, now());
    const stats = await client.stats({
      ...chosenProject(context, project),
      ...(since_ms === undefined ? {} : { since_ms }),
      ...(until_ms === undefined ? {} : { until_ms }),
      zone: localZone(),
    });
    if (json) return out.json(stats);
    out.print(statsText(stats, { style: out.style, width: out.width, by: grouped ?? null }));
    if (stats.is_rounded)
      out.say("some of these were deleted long ago, and are only known by the day or the month");
  },
});
