/** `oj decision list`, also `oj decisions`: what is pending, most urgent first. */
import type { DecisionQuery } from "../../api/api.ts";
import { SOURCES, URGENCIES } from "../../core/model/decision-types.ts";
import { tableWidth } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { chosenProject, oneOf, projectFlag } from "../base/values.ts";
import { countsLine, decisionTable } from "../card/table.ts";

export const command = defineCommand({
  name: "decision list",
  summary: "List what is waiting for an answer, most urgent first",
  args: "",
  flags: {
    all: { type: "boolean", help: "include settled ones" },
    source: { type: "string", value: "S", help: `only from: ${SOURCES.join(", ")}` },
    urgency: { type: "string", value: "U", help: "only high, medium or low" },
    blocks: { type: "string", value: "ID", help: "only what this job, step or other work is waiting for" },
    ...projectFlag,
  },
  examples: [
    { run: "oj decisions", does: "the inbox for all projects" },
    { run: "oj decision list --urgency high --project shop", does: "what is urgent in one project" },
    { run: "oj decision list -o json | jq -r '.[].id'", does: "ids, for scripts" },
  ],
  async run(context, _, { all, source, urgency, blocks, project }) {
    const { client, out, json, now } = context;
    const bySource = oneOf("--source", source, SOURCES);
    const byUrgency = oneOf("--urgency", urgency, URGENCIES);
    const chosen = chosenProject(context, project);
    const query: DecisionQuery = {
      ...(all ? { all } : {}),
      ...(bySource ? { source: bySource } : {}),
      ...(byUrgency ? { urgency: byUrgency } : {}),
      ...(blocks === undefined ? {} : { blocks }),
      ...chosen,
    };
    const decisions = await client.decisions(query);
    if (json) return out.json(decisions);
    if (decisions.length === 0) return out.print(nothing(query));

    const width = tableWidth(out);
    out.print(decisionTable(decisions, { style: out.style, now: now(), width, all: all ?? false }));
    out.print("");
    out.print(countsLine(decisions));
    const first = decisions.find((it) => it.state === "pending");
    if (first)
      out.say(
        `  ${out.style.cyan("→")} oj decision show ${first.id}, or go through them all: oj decision review`,
      );
  },
});

function nothing({ all, source, urgency, blocks, project }: DecisionQuery): string {
  const kind = [
    urgency && `with urgency ${urgency}`,
    source && `from source ${source}`,
    blocks && `that blocks ${safeLine(blocks)}`,
    project && `in project ${safeLine(project)}`,
  ].filter(Boolean);
  const what = all ? "no decisions" : "no decisions waiting for an answer";
  return [what, ...kind].join(" ");
}
