/** Which decisions `oj decision cancel` and `dismiss` are about: those given, or all, after a question. */
import type { DecisionView } from "../../api/api.ts";
import { count, who } from "../../inbox/card/words.ts";
import { truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context, Flags } from "../base/command.ts";
import { confirm, yesFlag } from "../base/confirm.ts";
import { usage } from "../base/fail.ts";
import { chosenProject, projectFlag } from "../base/values.ts";

export const severalFlags = {
  all: { type: "boolean", help: "all that are pending; asks first, and names them" },
  ...yesFlag,
  ...projectFlag,
} as const satisfies Flags;

/** More are counted, not named. */
const NAMED = 30;

interface Given {
  all?: boolean;
  yes?: boolean;
  project?: string;
}

interface Kind {
  /** "cancel", as it is typed, and as a sentence begins. */
  verb: "cancel" | "dismiss";
  title: string;
  noun: string;
  /** Which pending decisions `--all` means. */
  includes(decision: DecisionView): boolean;
}

/** The ids that were given, or all; null if the person says no, or there are none. */
export async function chosenIds(
  context: Context,
  ids: readonly string[],
  { all = false, yes = false, project }: Given,
  { verb, title, noun, includes }: Kind,
): Promise<readonly string[] | null> {
  const { client, out, json } = context;
  if (all === ids.length > 0)
    throw usage(
      all ? "--all takes no ids" : `oj decision ${verb} needs an ID, or --all`,
      `oj decision ${verb} ID`,
    );
  if (!all) return ids;
  const pending = await client.decisions(chosenProject(context, project));
  const found = pending.filter((it) => it.held === null && includes(it));
  const others = pending.length - found.length;
  if (others > 0) out.say(`${count(others, "decision")} of another kind, or on hold: left alone`);
  if (found.length === 0) {
    if (json) out.json([]);
    else out.print(`no ${noun} to ${verb}`);
    return null;
  }
  const question = `${title} ${found.length === 1 ? `this ${noun}` : `these ${count(found.length, noun)}`}?`;
  if (!yes) for (const line of lines(found, out.width)) out.say(line);
  const hint = `oj decision ${verb} --all --yes`;
  if (await confirm(context, { question, yes, hint })) return found.map((it) => it.id);
  out.say("nothing was done");
  return null;
}

function lines(decisions: readonly DecisionView[], width: number): string[] {
  const named = decisions
    .slice(0, NAMED)
    .map((it) => truncate(`  ${it.id}  ${safeLine(it.project)} · ${who(it)}: ${safeLine(it.title)}`, width));
  const more = decisions.length - named.length;
  return more > 0 ? [...named, `  and ${more} more: oj decision list`] : named;
}
