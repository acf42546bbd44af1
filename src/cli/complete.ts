/** `oj __complete -- WORDS…`: what the last word may become. Called by the shell at each Tab: quick, silent, starts nothing. */
import type { ApiClient, RunView } from "../api/api.ts";
import { clientOf } from "../client/client.ts";
import { hasEnded } from "../core/model/job-types.ts";
import { truncate } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Context } from "./base/command.ts";
import { commandsOf, defineCommand } from "./base/command.ts";
import type { Candidate, Dynamic } from "./candidates.ts";
import { FILES, matching, wantedAt } from "./candidates.ts";

/** Nobody waits longer for a Tab. */
const WITHIN_MS = 250;
const MOST = 100;
const LONGEST_DESCRIPTION = 60;

export const command = defineCommand({
  name: "__complete",
  local: true,
  summary: "Complete the last word (for completion scripts)",
  args: "[WORDS…]",
  flags: {},
  examples: [{ run: "oj __complete -- decision res", does: "resolve, with its summary" }],

  async run(context, words) {
    try {
      const wanted = await wantedAt(words, commandsOf(context));
      if (wanted === FILES) return context.out.print(FILES);
      const found = "dynamic" in wanted ? await ask(wanted.dynamic, context) : wanted.candidates;
      for (const { text, description } of matching(found, wanted).slice(0, MOST)) {
        context.out.print(`${text}\t${truncate(safeLine(description), LONGEST_DESCRIPTION)}`);
      }
    } catch {
      // Nothing to offer: the person is typing, and must not be disturbed.
    }
  },
});

async function ask(dynamic: Dynamic, { config }: Context): Promise<Candidate[]> {
  const abort = AbortSignal.timeout(WITHIN_MS);
  const client = clientOf({ socket: config.socket, user: config.user, via: "cli", anyVersion: true, abort });
  switch (dynamic.kind) {
    case "decision":
      return decisions(client, dynamic.only === "pending");
    case "job":
      return runs(await client.jobs(), dynamic.only);
    case "crew":
      return runs(await client.crews(), dynamic.only);
    case "agent":
      return (await client.agents()).map((it) => ({ text: it.id, description: `${it.name} (${it.status})` }));
    case "option": {
      const { options } = await client.decision(dynamic.id);
      return options.map((it) => ({ text: String(it.number), description: it.label }));
    }
    case "person":
      return (await client.historyNames()).people.map((text) => ({ text, description: "" }));
    case "command": {
      const { commands } = await client.commands({ cwd: config.cwd });
      return commands.map((it) => ({ text: it.name, description: it.description ?? it.usage }));
    }
  }
}

/** The daemon lists what is pending first. */
async function decisions(client: ApiClient, isPendingOnly: boolean): Promise<Candidate[]> {
  const found = await client.decisions(isPendingOnly ? {} : { all: true });
  return found.map((it) => ({
    text: it.id,
    description: it.state === "pending" ? it.title : `${it.title} (${it.state})`,
  }));
}

/** Jobs or crews; those that have not ended first. */
function runs(all: readonly RunView[], only: "open" | "ended" | undefined): Candidate[] {
  const found = all.filter((it) => only === undefined || hasEnded(it) === (only === "ended"));
  const first = [...found.filter((it) => !hasEnded(it)), ...found.filter(hasEnded)];
  return first.map((it) => ({ text: it.id, description: `${it.name} (${it.status})` }));
}
