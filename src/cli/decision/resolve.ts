/** `oj decision resolve`: answers one decision, or several in the same way. */
import type { BatchResult, DecisionView, ResolveBody } from "../../api/api.ts";
import { NAMED } from "../../core/text/resolve-hint.ts";
import { deliveryWords, standing } from "../../inbox/words.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { EXIT, usage } from "../base/fail.ts";
import { afterDelivery, nextLook, outcomeLines } from "../card/outcome.ts";

const CHOICE = /^-?\d{1,3}(,\d{1,3})*$/;

export const command = defineCommand({
  name: "decision resolve",
  summary: "Answer a decision, or several the same way",
  args: "ID… [N…]",
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
    choice: { type: "string", value: "N", multiple: true, help: "the same as N" },
    rationale: { type: "string", value: "TEXT", help: "the same as -m" },
  },
  completes: "decision",
  examples: [
    { run: "oj decision resolve 7k3 1", does: "choose option 1" },
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
    { run: "oj decision resolve 7k3 cancel", does: "choose Cancel where the numbers answer a question" },
  ],
  async run(context, args, { message, text, choice, rationale }) {
    const { ids, numbers } = split(args);
    const [first, ...more] = text ?? [];
    const answer = answerOf([...numbers, ...(choice ?? [])], first, oneMessage(message, rationale));
    if (ids.length > 1 && more.length > 0)
      throw usage(
        "several --text flags only work with one decision that asks several questions",
        "oj decision resolve ID N… --text T…",
      );
    if (ids.length === 1) return resolveOne(context, ids[0] ?? "", answer, text ?? []);
    if (isEmpty(answer))
      throw usage(
        `no answer was given for the ${ids.length} decisions`,
        `oj decision resolve ${ids.join(" ")} N`,
      );
    return resolveSeveral(context, ids, answer);
  },
});

/** The first word is an id, whatever it looks like; numbers at the end are choices; everything between is an id. */
export function split(args: readonly string[]): { ids: string[]; numbers: string[] } {
  let end = args.length;
  if (end === 2 && NAMED.test(args[1] ?? "")) return { ids: args.slice(0, 1), numbers: args.slice(1) };
  while (end > 1 && CHOICE.test(args[end - 1] ?? "")) end--;
  return { ids: args.slice(0, end), numbers: args.slice(end) };
}

/** "2" "1,3" → [[2], [1, 3]]. */
export function answerOf(
  numbers: readonly string[],
  text: string | undefined,
  message: string | undefined,
): ResolveBody {
  const [only] = numbers;
  if (only !== undefined && NAMED.test(only))
    return { choices: [], option: only, text: text ?? null, message: message ?? null };
  const choices = numbers.map((it) => {
    if (!CHOICE.test(it))
      throw usage(`"${it}" is not a choice: choices are numbers`, "oj decision resolve ID N");
    return it.split(",").map(Number);
  });
  return { choices, text: text ?? null, message: message ?? null };
}

/** The words that would be typed for an answer: what follows the id, and the flags. */
export function commandOf({ choices = [], option, text, texts, message }: ResolveBody): {
  args: string[];
  flags: { message?: string; text?: string[] };
} {
  const words = [...(texts ?? []), text].filter((it) => typeof it === "string");
  return {
    args: option ? [option] : choices.map((it) => it.join(",")),
    flags: { ...(words.length > 0 ? { text: words } : {}), ...(message ? { message } : {}) },
  };
}

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
  const now = await afterDelivery(context, decision);
  for (const line of outcomeLines(now, option, out.style)) out.print(line);
  const next = nextLook(now);
  if (next !== null) out.say(`  ${out.style.cyan("→")} ${next}`);
}

/** The first text is for the first question that is answered with Other, and so on. */
export function textsOf(
  { id, questions }: Pick<DecisionView, "id" | "questions">,
  { choices = [] }: ResolveBody,
  texts: readonly string[],
): (string | null)[] {
  const left = [...texts];
  const placed = questions.map(({ options }, at) => {
    const isOther = choices[at]?.includes(options.length + 1) === true;
    return isOther ? (left.shift() ?? null) : null;
  });
  if (left.length > 0)
    throw usage(
      `${texts.length} texts were given, but Other was chosen for ${texts.length - left.length} of the questions of ${id}`,
      `oj decision show ${id}`,
    );
  return placed;
}

async function resolveSeveral(context: Context, ids: string[], answer: ResolveBody): Promise<number> {
  const { client, out, json, now } = context;
  const results = await client.resolveDecisions(ids, answer);
  const words = (decision: DecisionView) =>
    [standing(decision, now()), decision.delivery.state === "none" ? null : deliveryWords(decision)]
      .filter((it) => it !== null)
      .join("; ")
      .replace("; answered, ", "; ");
  if (json) out.json(results);
  else {
    const settled = results.map(async (it) =>
      "error" in it ? it : { ...it, decision: await afterDelivery(context, it.decision) },
    );
    for (const result of settled) out.print(itemLine(await result, words, out.style));
  }
  return results.some((it) => "error" in it) ? EXIT.refused : EXIT.done;
}

function itemLine(
  result: BatchResult,
  words: (decision: DecisionView) => string,
  style: Context["out"]["style"],
): string {
  if ("error" in result) return `${style.red("✗")} ${safeLine(result.id)}  ${safe(result.error.message)}`;
  return `${style.green("✓")} ${result.decision.id}  ${words(result.decision)}`;
}

function oneMessage(message: string | undefined, rationale: string | undefined): string | undefined {
  if (message !== undefined && rationale !== undefined)
    throw usage("-m and --rationale mean the same; give only one", '-m "…"');
  return message ?? rationale;
}

function isEmpty({ choices, text, message }: ResolveBody): boolean {
  return (choices ?? []).length === 0 && !text?.trim() && !message?.trim();
}
