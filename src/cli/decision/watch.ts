/** `oj decision watch`: the inbox in full screen; with `--headless` one JSON line per event. Both survive restarts of the daemon. */
import { isatty } from "node:tty";
import { Refusal } from "../../core/model/errors.ts";
import { safeJson } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { patiently, stopped } from "../base/patience.ts";
import { chosenProject } from "../base/values.ts";

export const command = defineCommand({
  name: "decision watch",
  summary: "The live inbox: see what is waiting, answer with two keys",
  args: "",
  flags: {
    headless: {
      type: "boolean",
      help: "no screen: print events as JSON lines",
    },
    types: {
      type: "string",
      value: "T,…",
      help: 'with --headless: event types, or prefixes with a star: "job:*,step:*" (default "decision:*")',
    },
    after: {
      type: "string",
      value: "SEQ",
      help: "with --headless: start after the event with this number (default: from now on)",
    },
    project: { type: "string", value: "NAME", help: "only this project (default: all)" },
  },
  examples: [
    { run: "oj decision watch", does: "keys: 1-9 choose, Enter send, ? all of them" },
    {
      run: "oj decision watch --headless",
      does: "decisions as they are created, answered and delivered, until Ctrl-C",
    },
    {
      run: "oj decision watch --headless --types 'decision:*,job:*' --after 0",
      does: "everything recorded about decisions and jobs, then what follows",
    },
  ],
  async run(context, _, { headless, types, after, project }) {
    if (!headless) {
      if (types !== undefined || after !== undefined)
        throw usage("--types and --after need --headless", "oj decision watch --headless …");
      if (!isatty(0) || !isatty(1) || context.json)
        throw usage("the inbox needs a terminal", "for programs: oj decision watch --headless");
      const { watchInbox } = await import("../watch/run.ts");
      return watchInbox(context, chosenProject(context, project));
    }
    const wanted = types
      ?.split(",")
      .map((it) => it.trim())
      .filter((it) => it !== "") ?? ["decision:*"];
    await watch(
      context,
      { types: wanted, ...chosenProject(context, project) },
      after === undefined ? null : toSeq(after),
    );
  },
});

async function watch(
  context: Context,
  query: { types: string[]; project?: string },
  after: number | null,
): Promise<never> {
  const { client, out } = context;
  let seen = after;
  return patiently(context, null, async () => {
    const { seq } = await client.health(); // starts the daemon again if it died
    seen ??= seq;
    try {
      for await (const event of client.events({ ...query, after: seen })) {
        seen = event.seq;
        out.print(safeJson(JSON.stringify(event)));
      }
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "events.gone") throw error;
      const { first } = error.details ?? {};
      const next = typeof first === "number" ? first - 1 : seq;
      const { code, message, details } = error;
      if (after === seen)
        throw new Refusal(code, message, `oj decision watch --headless --after ${next}`, details);
      out.say(`some events after ${seen} are no longer kept; continuing after ${next}`);
      seen = next;
    }
    throw stopped();
  });
}

function toSeq(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`--after needs the number of an event, not "${text}"`, "--after 0");
}
