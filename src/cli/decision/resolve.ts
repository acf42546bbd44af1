/** `oj decision resolve`: answers one decision, or several in the same way. */
import type { ResolveBody } from "../../api/api.ts";
import { standing } from "../../inbox/card/words.ts";
import { answerOf, split, textsOf } from "../answer/given.ts";
import { hasNames, splitNamed, withNumbers } from "../answer/named.ts";
import { tellResults } from "../answer/results.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { afterDelivery, nextLook, outcomeLines } from "../card/outcome.ts";

export const command = defineCommand({
  name: "decision resolve",
  summary: "Answer a decision, or several the same way",
  args: "ID… [N|LABEL…]",
  flags: {
    message: {
      type: "string",
      short: "m",
      value: "TEXT",
      help: "a message to go with the answer, or to be the answer",
    },
    text: {
      type: "string",
      value: "TEXT",
      multiple: true,
      help: "an answer in your own words; repeat it for several Others, in order",
    },
    choice: { type: "string", value: "N", multiple: true, help: "the same as N or LABEL" },
    rationale: { type: "string", value: "TEXT", help: "the same as -m" },
    edit: {
      type: "boolean",
      help: "approve with a change: opens the command, edit or plan in $EDITOR first",
    },
    input: {
      type: "string",
      value: "JSON",
      help: "approve with a change: the call's whole input, as JSON, @FILE or - (stdin)",
    },
  },
  completes: "decision",
  examples: [
    { run: "oj decision resolve 7k3 1", does: "choose option 1" },
    { run: "oj decision resolve 7k3 approve", does: "choose an option by its label or key, in any case" },
    {
      run: 'oj decision resolve 7k3 2 -m "use the staging database"',
      does: "choose option 2 and add a message",
    },
    {
      run: 'oj decision resolve 7k3 -m "neither: ask the team first"',
      does: "answer a request with a message alone",
    },
    {
      run: "oj decision resolve 7k3 p4q m9x 1",
      does: "option 1 for three decisions; each has its own result (exit 1 if one is refused)",
    },
    {
      run: "oj decision resolve 7k3 2 1,3",
      does: "several questions: 2 for the first, 1 and 3 for the second",
    },
    {
      run: 'oj decision resolve 7k3 4 3 --text "DuckDB" --text "in May"',
      does: "several questions, two of them answered in your own words",
    },
    { run: "oj decision resolve 7k3 1 --edit", does: "change the command, edit or plan, then approve it" },
    { run: "oj decision resolve 7k3 cancel", does: "choose Cancel where the numbers answer a question" },
  ],
  async run(context, args, { message, text, choice, rationale, edit, input }) {
    const { ids, words } = hasNames(args) ? await splitNamed(context.client, args) : split(args);
    const [first, ...more] = text ?? [];
    const answer = answerOf(
      await withNumbers(context.client, ids, [...words, ...(choice ?? [])]),
      first,
      oneMessage(message, rationale),
    );
    if (ids.length > 1 && more.length > 0)
      throw usage(
        "several --text flags only work with one decision that asks several questions",
        "oj decision resolve ID N… --text T…",
      );
    const [id = ""] = ids;
    if (edit || input !== undefined) {
      if (ids.length > 1)
        throw usage("a change only goes with one decision", "oj decision resolve ID 1 --edit");
      const { changedInput } = await import("../answer/edited.ts");
      const changed = await changedInput(context, id, { edit, input });
      return resolveOne(context, id, { ...answer, ...(changed ? { input: changed } : {}) }, text ?? []);
    }
    if (ids.length === 1) return resolveOne(context, id, answer, text ?? []);
    if (isEmpty(answer))
      throw usage(
        `no answer was given for the ${ids.length} decisions`,
        `oj decision resolve ${ids.join(" ")} N`,
      );
    return tellResults(context, await context.client.resolveDecisions([...ids], answer));
  },
});

async function resolveOne(
  context: Context,
  id: string,
  given: ResolveBody,
  texts: readonly string[],
): Promise<void> {
  const { client, out, json } = context;
  const answer =
    texts.length > 1
      ? { ...given, text: null, texts: textsOf(await client.decision(id), given, texts) }
      : given;
  const { decision, option } = await client.resolveDecision(id, answer);
  if (json) return out.json(decision);
  if (decision.held) {
    out.print(`${out.style.green("✓")} ${decision.id} ${standing(decision, context.now())}`);
    return out.say(`  ${out.style.cyan("→")} oj decision undo ${decision.id}`);
  }
  if (decision.state === "pending") {
    out.print(`${out.style.green("✓")} ${decision.id} ${standing(decision, context.now())}`);
    return out.say(`  ${out.style.cyan("→")} oj decision show ${decision.id} shows who may answer`);
  }
  const now = await afterDelivery(context, decision);
  for (const line of outcomeLines(now, option, out.style)) out.print(line);
  const next = nextLook(now);
  if (next !== null) out.say(`  ${out.style.cyan("→")} ${next}`);
}

function oneMessage(message: string | undefined, rationale: string | undefined): string | undefined {
  if (message !== undefined && rationale !== undefined)
    throw usage("-m and --rationale mean the same; give only one", '-m "…"');
  return message ?? rationale;
}

function isEmpty({ choices, option, text, message }: ResolveBody): boolean {
  return (choices ?? []).length === 0 && !option && !text?.trim() && !message?.trim();
}
