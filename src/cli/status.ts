/** `oj status`: what runs, what waits and for whom, in every project. */
import type { ProjectStatus } from "../api.ts";
import type { Context } from "./command.ts";
import { command } from "./command.ts";
import { patiently, stopped } from "./patience.ts";
import { safeJson } from "./safe.ts";
import { statusLines } from "./status-lines.ts";
import { chosenProject } from "./values.ts";

export const it = command({
  name: "status",
  summary: "Show what runs, what waits, and what waits for you",
  args: "",
  flags: {
    watch: { type: "boolean", help: "stay, and show every change, until Ctrl-C" },
    project: { type: "string", value: "NAME", help: "only this project; else all" },
  },
  examples: [
    { run: "oj status", does: "running and waiting jobs, and pending decisions, by project" },
    { run: "oj status --watch", does: "the same, kept up to date" },
    { run: "oj status -o json | jq '.[].pending | length'", does: "how much waits, for a status bar" },
  ],
  async run(context, _, { watch, project }) {
    const query = chosenProject(context, project);
    if (watch) return watchStatus(context, query);
    const projects = await context.client.status(query);
    if (context.json) return context.out.json(projects);
    for (const line of linesOf(context, projects, query)) context.out.print(line);
    const [first] = projects.flatMap((it) => it.pending);
    if (first)
      context.out.say(
        `\n  ${context.out.style.cyan("→")} oj decision show ${first.id}, or one after the other: oj decision review`,
      );
  },
});

function linesOf(
  { out, now }: Context,
  projects: readonly ProjectStatus[],
  { project }: { project?: string },
): string[] {
  return statusLines(projects, {
    style: out.style,
    width: out.isTerminal ? out.width : undefined,
    now: now(),
    project,
  });
}

/** Draws anew after each event; the daemon is asked only then. Over restarts of the daemon. */
async function watchStatus(context: Context, query: { project?: string }): Promise<number> {
  const { client, out, json, abort } = context;
  const screen = out.isTerminal && !json ? (await import("./screen.ts")).openScreen() : null;
  let last = "";
  const draw = async () => {
    const projects = await client.status(query);
    const text = json ? safeJson(JSON.stringify(projects)) : linesOf(context, projects, query).join("\n");
    if (screen) screen.draw(text);
    else if (text !== last) out.print(json || last === "" ? text : `\n${text}`);
    last = text;
  };
  try {
    await patiently(context, null, async () => {
      const { seq } = await client.health(); // starts the daemon again if it died
      await draw();
      for await (const _ of batches(client.events({ ...query, after: seq }), QUIET_MS)) await draw();
      throw stopped();
    });
  } catch (error) {
    if (!abort.aborted) throw error;
  } finally {
    screen?.close();
  }
  return INTERRUPTED;
}

const INTERRUPTED = 130;
/** Events that come within this time are shown together. */
const QUIET_MS = 40;

/** One turn for all events that arrive together, so that a burst is drawn once. */
export async function* batches<T>(events: AsyncIterable<T>, quietMs: number): AsyncGenerator<void> {
  let waiting = 0;
  let ended = false;
  let failure: unknown = null;
  let wake = () => {};
  const read = async () => {
    try {
      for await (const _ of events) {
        waiting += 1;
        wake();
      }
    } catch (error) {
      failure = error;
    }
    ended = true;
    wake();
  };
  void read();
  for (;;) {
    if (waiting === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (waiting > 0) {
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      waiting = 0;
      yield;
    } else if (ended) {
      if (failure !== null) throw failure;
      return;
    }
  }
}
