/** What the caller has asked, in words for them: an agent, a session, a name or a person. `check` and `remind` say it. */
import type { OwnQuery, OwnView, TemplateView } from "../../api/api.ts";
import { URGENCIES } from "../../core/model/decision-types.ts";
import { askingLines } from "../../core/text/asking-words.ts";
import { count, standing } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { recipientFlags } from "../base/recipient.ts";

export const ownFlags = {
  ...recipientFlags,
  inject: { type: "boolean", help: "queue it as their next message instead of printing it" },
} as const;

/** An agent's token says who it is; then come the flags, the session that we run in, and the person. */
export function ownQuery(
  { config }: Pick<Context, "config">,
  { session, as }: { session?: string; as?: string },
): OwnQuery {
  if (session !== undefined && as !== undefined)
    throw usage("--session and --as name two callers; give only one", "--as NAME");
  const id = as === undefined ? (session ?? config.session) : undefined;
  return { project: config.project, ...(as ? { as } : {}), ...(id ? { session: id } : {}) };
}

/** One line for each: what is pending, what came of others. */
export function ownLines({ pending, news }: Pick<OwnView, "pending" | "news">, now: number): string[] {
  return [
    ...pending.map((it) => `${it.id} (${safeLine(it.title)}) is ${standing(it, now)}`),
    ...news.flatMap((it) => [
      `${it.id} (${safeLine(it.title)}): ${standing(it, now)}`,
      ...(it.answer?.message ? [`  they say: ${safeLine(it.answer.message)}`] : []),
    ]),
  ];
}

/** For a person: what is waiting for them. For everybody else: what they asked, and how to offer a decision. */
export function reminder(own: OwnView, templates: readonly TemplateView[], now: number): string[] {
  const { inbox, caller, pending } = own;
  if (inbox) {
    const total = URGENCIES.reduce((sum, it) => sum + inbox[it], 0);
    const parts = URGENCIES.flatMap((it) => (inbox[it] > 0 ? [`${inbox[it]} ${it}`] : []));
    const waiting = `${count(total, "decision")} waiting for an answer: ${parts.join(", ")}`;
    return [total === 0 ? "no decisions waiting for an answer" : waiting, ...ownLines(own, now)];
  }
  const asked = ownLines(own, now);
  if (pending.length > 0) return [...asked, `Wait for it: oj decision await ${pending[0]?.id}`];
  const as = caller.kind === "name" ? ` --as ${caller.name}` : "";
  const known = templates.filter((it) => it.prompt_hint).map((it) => `  ${it.name}: ${it.prompt_hint}`);
  return [
    ...asked,
    ...askingLines(as),
    ...(known.length > 0
      ? ["or use one of these templates with --template (see oj decision templates):", ...known]
      : []),
  ].map((it) => safeLine(it));
}
