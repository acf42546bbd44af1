/** `oj decision dashboard`: the state of the inbox, on one screen. */
import type { DashboardView, Section } from "../../api/api.ts";
import { URGENCIES } from "../../core/model/decision-types.ts";
import { formatDuration } from "../../core/text/duration.ts";
import { count } from "../../inbox/card/words.ts";
import { tableWidth } from "../../text/layout.ts";
import { defineCommand } from "../base/command.ts";
import { chosenProject } from "../base/values.ts";
import { urgencyColour } from "../card/card.ts";
import type { ListLook } from "../card/table.ts";
import { decisionTable } from "../card/table.ts";

export const command = defineCommand({
  name: "decision dashboard",
  summary: "See the inbox at a glance: by urgency, stale, settled",
  args: "",
  flags: { project: { type: "string", value: "NAME", help: "only this project (default: all)" } },
  examples: [
    {
      run: "oj decision dashboard",
      does: "counts by urgency, stale (over a day) and settled (in the last day)",
    },
    {
      run: "oj decision dashboard -o json | jq .by_urgency.high.count",
      does: "a number for your shell prompt",
    },
  ],
  async run(context, _, { project }) {
    const { client, out, json, now } = context;
    const board = await client.dashboard(chosenProject(context, project));
    if (json) return out.json(board);
    const width = tableWidth(out);
    out.print(dashboardText(board, { style: out.style, now: now(), width, all: false }));
  },
});

export function dashboardText(board: DashboardView, look: ListLook): string {
  const { by_urgency, aside, stale, recent } = board;
  const pending = board.pending - aside.count;
  const { style } = look;
  const sections = [
    ...URGENCIES.map((it) => section(urgencyColour(it, style)(it), by_urgency[it], look)),
    section("blocks nothing yet", aside, look),
    section(`stale: pending for more than ${formatDuration(stale.after_ms)}`, stale, look),
    section(`settled in the last ${formatDuration(recent.within_ms)}`, recent, { ...look, all: true }),
  ].filter((it) => it !== null);
  const waiting = `${count(pending, "decision")} waiting for an answer`;
  return [style.bold(pending === 0 ? "no decisions waiting for an answer" : waiting), ...sections].join(
    "\n\n",
  );
}

function section(title: string, { count: number, decisions }: Section, look: ListLook): string | null {
  if (number === 0) return null;
  const more = number - decisions.length;
  return [
    `${look.style.bold(title)}  ${number}`,
    decisionTable(decisions, look),
    ...(more > 0 ? [look.style.dim(`and ${more} more`)] : []),
  ].join("\n");
}
