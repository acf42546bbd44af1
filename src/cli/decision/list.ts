/** `oj decision list`, also `oj decisions`: what is pending, most urgent first; or what was settled, and how. */
import type { DecisionQuery } from "../../api/api.ts";
import { SOURCES, URGENCIES, VIAS } from "../../core/model/decision-types.ts";
import { OUTCOMES } from "../../core/model/outcome.ts";
import { isQuiet } from "../../inbox/card/waits.ts";
import { tableWidth } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { chosenProject, oneOf, projectFlag, wholeNumber } from "../base/values.ts";
import { asideTable, countsLine, decisionTable, toLookAt } from "../card/table.ts";
import { exportAs, showHistory } from "../history/history.ts";
import { sinceOf, untilOf } from "../history/moments.ts";

const ENDED = OUTCOMES.filter((it) => it !== "pending");

export const command = defineCommand({
  name: "decision list",
  summary: "List what waits for an answer, or find what was settled",
  args: "",
  flags: {
    all: { type: "boolean", help: "include settled ones" },
    source: { type: "string", value: "S", help: `only from: ${SOURCES.join(", ")}` },
    urgency: { type: "string", value: "U", help: "only high, medium or low" },
    search: { type: "string", value: "WORDS", help: "only with all these words, anywhere in it" },
    blocks: { type: "string", value: "ID", help: "only what this job, step or other work is waiting for" },
    blocking: { type: "boolean", help: "only what work waits for, not what was asked with --no-wait" },
    stale: { type: "boolean", help: "only what has been pending for longer than decisions.stale_after" },
    since: { type: "string", value: "D", help: "settled since: 7d, 2026-11-10, today, yesterday" },
    until: { type: "string", value: "D", help: "settled until: the same; a day is included" },
    by: { type: "string", value: "NAME", help: "settled by this person" },
    via: { type: "string", value: "V", help: `answered in: ${VIAS.join(", ")}` },
    outcome: { type: "string", value: "O", help: `settled as: ${ENDED.join(", ")}` },
    limit: { type: "string", short: "n", value: "N", help: "the first N; settled ones as text: 100" },
    output: { type: "string", short: "o", value: "json|csv|text", help: "what to print" },
    ...projectFlag,
  },
  formats: ["csv"],
  examples: [
    { run: "oj decisions", does: "the inbox for all projects" },
    { run: "oj decision list --urgency high --project shop", does: "what is urgent in one project" },
    { run: "oj decision list -o json | jq -r '.[].id'", does: "ids, for scripts" },
    {
      run: 'oj decision list --since 7d --outcome approved --search "git push"',
      does: "who approved that command in the last week",
    },
    { run: "oj decision list --by ana --since 2026-11-01 -o csv > ana.csv", does: "for a spreadsheet" },
  ],
  async run(context, _, flags) {
    const { client, out, json } = context;
    const query = queryOf(context, flags);
    const limit = wholeNumber("--limit", flags.limit);
    const format = json ? "json" : flags.output === "csv" ? "csv" : "text";
    if (HISTORY.some((it) => query[it] !== undefined)) return showHistory(context, { query, format, limit });

    const decisions = (await client.decisions(query)).slice(0, limit);
    if (json) return out.json(decisions);
    if (format === "csv") return exportAs(out, "csv", [decisions]);
    if (decisions.length === 0) return out.print(nothing(query));

    const width = tableWidth(out);
    const look = { style: out.style, now: context.now(), width, all: query.all ?? false };
    const [loud, quiet] = [decisions.filter((it) => !isQuiet(it)), decisions.filter(isQuiet)];
    if (loud.length > 0) out.print(`${decisionTable(loud, look)}\n`);
    if (quiet.length > 0) out.print(`${asideTable(quiet, look)}\n`);
    out.print(countsLine(decisions));
    const first = decisions.find((it) => it.state === "pending");
    if (first) out.say(`  ${out.style.cyan("→")} ${toLookAt(first, context)}`);
  },
});

/** With one of these, the list is about what was settled. */
const HISTORY = ["since_ms", "until_ms", "by", "via", "outcome"] as const;

type Given = Partial<Record<"source" | "urgency" | "search" | "blocks" | "since" | "until", string>> &
  Partial<Record<"by" | "via" | "outcome" | "project", string>> & {
    all?: boolean;
    stale?: boolean;
    blocking?: boolean;
  };

function queryOf(context: Context, given: Given): DecisionQuery {
  const now = context.now();
  const outcome = given.outcome?.toLowerCase() === "resolved" ? "answered" : given.outcome;
  const query = {
    all: given.all || undefined,
    source: oneOf("--source", given.source, SOURCES),
    urgency: oneOf("--urgency", given.urgency, URGENCIES),
    search: given.search,
    blocks: given.blocks,
    stale: given.stale || undefined,
    blocking: given.blocking || undefined,
    since_ms: sinceOf(given.since, now),
    until_ms: untilOf(given.until, now),
    by: given.by,
    via: oneOf("--via", given.via, VIAS),
    outcome: oneOf("--outcome", outcome, ENDED),
    ...chosenProject(context, given.project),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

function nothing({ all, source, urgency, search, blocks, stale, blocking, project }: DecisionQuery): string {
  const kind = [
    stale && "that are stale",
    blocking && "that block work",
    urgency && `with urgency ${urgency}`,
    source && `from source ${source}`,
    search && `with "${safeLine(search)}"`,
    blocks && `that blocks ${safeLine(blocks)}`,
    project && `in project ${safeLine(project)}`,
  ].filter(Boolean);
  const what = all ? "no decisions" : "no decisions waiting for an answer";
  return [what, ...kind].join(" ");
}
