/** `oj status`: what runs, what waits and for whom, in every project. */
import type { DecisionView, ProjectStatus } from "../api/api.ts";
import { URGENCIES } from "../core/model/decision-types.ts";
import { Refusal } from "../core/model/errors.ts";
import { count } from "../inbox/card/words.ts";
import { actionsOf } from "../inbox/fleet/row.ts";
import { rowsOf } from "../inbox/fleet/rows.ts";
import { tableWidth } from "../text/layout.ts";
import { safeJson, safeLine } from "../text/safe.ts";
import { batches } from "./base/batches.ts";
import type { Context } from "./base/command.ts";
import { defineCommand } from "./base/command.ts";
import { EXIT } from "./base/fail.ts";
import { patiently, stopped } from "./base/patience.ts";
import { chosenProject } from "./base/values.ts";
import { toLookAt } from "./card/table.ts";
import { COSTS, sessionsOff } from "./init/switched-off.ts";
import { statusLines } from "./status-lines.ts";

export const command = defineCommand({
  name: "status",
  summary: "Show what is running, what is waiting, and what needs you",
  args: "",
  flags: {
    watch: { type: "boolean", help: "stay and show every change, until Ctrl-C" },
    project: { type: "string", value: "NAME", help: "only this project (default: all)" },
  },
  examples: [
    { run: "oj status", does: "running and waiting jobs, and pending decisions, by project" },
    { run: "oj status --watch", does: "the same, kept up to date" },
    { run: "oj status -o json | jq '.[].pending | length'", does: "how many are waiting, for a status bar" },
  ],
  async run(context, _, { watch, project }) {
    const query = chosenProject(context, project);
    if (watch) return watchStatus(context, query);
    const projects = await context.client.status(query);
    if (context.json) return context.out.json(projects);
    for (const line of linesOf(context, projects, query)) context.out.print(line);
    for (const line of await beadsLines(context)) context.out.print(line);
    for (const { name, by } of await sessionsOff(context.config))
      context.out.print(
        `\n${context.out.style.yellow("!")} the hooks of oj init ${name} are switched off by ${safeLine(by)}: ${COSTS}`,
      );
    const failed = projects.flatMap((it) => rowsOf(it, context.now())).find((it) => it.state === "failed");
    for (const { label, command } of failed ? actionsOf(failed) : [])
      context.out.say(`  ${context.out.style.cyan("→")} ${label}: ${command}`);
    const first = mostUrgent(projects.flatMap((it) => it.pending));
    if (first) context.out.say(`\n  ${context.out.style.cyan("→")} ${toLookAt(first, context)}`);
  },
});

/** What keeps decisions from being mirrored as beads. A caller that may not know, or a daemon that doesn't, says nothing. */
async function beadsLines({ client, out }: Context): Promise<string[]> {
  const all = await client.beads().catch((error: unknown) => {
    if (error instanceof Refusal) return [];
    throw error;
  });
  return all.flatMap(({ project, trouble, owed }) =>
    trouble === null
      ? []
      : [
          `\n${out.style.yellow("!")} ${safeLine(project)}: ${count(owed, "decision")} not mirrored as beads yet: ${safeLine(trouble)} (oj beads status)`,
        ],
  );
}

function mostUrgent(pending: readonly DecisionView[]): DecisionView | undefined {
  const loud = pending.filter((it) => it.blocking !== false);
  return URGENCIES.flatMap((urgency) => loud.filter((it) => it.urgency === urgency))[0] ?? pending[0];
}

function linesOf(
  { out, now }: Context,
  projects: readonly ProjectStatus[],
  { project }: { project?: string },
): string[] {
  return statusLines(projects, {
    style: out.style,
    width: tableWidth(out),
    now: now(),
    project,
  });
}

/** Redraws after each event; only then is the daemon asked. Survives restarts of the daemon. */
async function watchStatus(context: Context, query: { project?: string }): Promise<number> {
  const { client, abort } = context;
  const view =
    context.out.isTerminal && !context.json ? await screenView(context, query) : lineView(context, query);
  try {
    await patiently(context, null, async () => {
      const { seq } = await client.health(); // starts the daemon again if it died
      view.show(await client.status(query));
      for await (const _ of batches(client.events({ ...query, after: seq }), QUIET_MS))
        view.show(await client.status(query));
      throw stopped();
    });
  } catch (error) {
    if (!abort.aborted) throw error;
  } finally {
    view.close();
  }
  return EXIT.interrupted;
}

interface View {
  show(projects: readonly ProjectStatus[]): void;
  close(): void;
}

/** Drawn in place. Ages grow by themselves, without asking anybody. */
async function screenView(context: Context, query: { project?: string }): Promise<View> {
  const screen = (await import("./base/screen.ts")).openScreen();
  let shown: readonly ProjectStatus[] = [];
  const draw = () => screen.draw(linesOf(context, shown, query).join("\n"));
  const clock = setInterval(draw, 1000);
  return {
    show(projects) {
      shown = projects;
      draw();
    },
    close() {
      clearInterval(clock);
      screen.close();
    },
  };
}

/** Each change below the one before; as JSON, one line each. */
function lineView(context: Context, query: { project?: string }): View {
  const { out, json } = context;
  let last = "";
  return {
    show(projects) {
      const text = json ? safeJson(JSON.stringify(projects)) : linesOf(context, projects, query).join("\n");
      if (text !== last) out.print(json || last === "" ? text : `\n${text}`);
      last = text;
    },
    close: () => {},
  };
}

/** Events that come within this time are shown together. */
const QUIET_MS = 40;
