/** A decision in full, with everything that is needed to decide. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import { fieldsText } from "../../core/text/fields-text.ts";
import { pieces } from "../../core/text/quote.ts";
import { describeAge } from "../../core/text/words.ts";
import { answerWords, asker, contextOrigin, deliveryWords, isOurs, standing } from "../../inbox/words.ts";
import { hang, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { exactAction } from "./exact-action.ts";
import { fence } from "./fence.ts";
import { namedOptions, severalQuestions } from "./questions.ts";

export interface Look {
  style: Style;
  width: number;
  now: number;
}

export function card(decision: DecisionView, look: Look): string {
  const choices =
    decision.questions.length > 1
      ? [...severalQuestions(decision, look), "", ...namedOptions(decision, look)]
      : ["", ...optionList(decision, look)];
  return [cardBody(decision, look), ...choices].join("\n");
}

/** Everything except the choices. */
export function cardBody(decision: DecisionView, look: Look): string {
  return [
    ...heading(decision, look),
    "",
    ...facts(decision, look),
    ...context(decision, look),
    ...exactAction(decision, look),
  ].join("\n");
}

function heading(decision: DecisionView, { style, width }: Look): string[] {
  const { id, project, urgency, source, state } = decision;
  const [title = "", ...more] = safe(decision.title).split("\n");
  const head = [
    style.bold(id),
    urgencyColour(urgency, style)(urgency),
    source,
    stateColour(state, style)(state),
    style.dim(safeLine(project)),
  ];
  return [
    head.join("  "),
    ...wrap(title, width).map(style.bold),
    ...fence(more.join("\n"), { style, width }),
  ];
}

function facts(decision: DecisionView, look: Look): string[] {
  const { now, style, width } = look;
  const { answer, ended } = decision;
  const rows: [string, string | null][] = [
    ["asked by", asker(decision)],
    ["asked", `${describeAge(now - decision.created_at_ms)} (${localTime(decision.created_at_ms)})`],
    ["template", decision.template],
    ["blocks", decision.blocks.join(", ") || null],
    ["work", decision.aftermath],
    ["part of", decision.parent],
    ["follows", decision.predecessor],
    ["replaces", decision.supersedes],
    ["replaced by", decision.superseded_by],
    ["answer", answer && answerWords(decision)],
    ["message", answer?.message ?? null],
    [
      "answered by",
      answer &&
        `${answer.by} (${answer.via}), ${describeAge(now - answer.resolved_at_ms)} (${localTime(answer.resolved_at_ms)})`,
    ],
    ["delivery", answer && deliveryWords(decision)],
    ["ended", ended || decision.state === "superseded" ? standing(decision, now) : null],
  ];
  const present = rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== "");
  return present.flatMap(([name, text]) => {
    const lines = hang(`  ${name.padEnd(11)} `, safe(text), width, " ".repeat(14));
    return lines.map((line, at) => (at === 0 ? line.replace(name, style.dim(name)) : line));
  });
}

/** Ours as it is; what others said or printed, behind a bar. */
function context(decision: DecisionView, look: Look): string[] {
  const { style, width } = look;
  const text = safe(readable(decision)).replace(/^\n+|\s+$/g, "");
  if (text === "") return [];
  if (!isOurs(decision)) return ["", style.dim(`  ${contextOrigin(decision)}:`), ...fence(text, look)];
  return pieces(text).flatMap((it) =>
    it.quoted ? fence(it.text, look) : ["", ...wrap(it.text, width - 2).map((line) => `  ${line}`.trimEnd())],
  );
}

/** A context that is a JSON object reads better as a list than as JSON. */
export function readable({ context, fields }: Pick<DecisionView, "context" | "fields">): string {
  const isAll = Object.keys(fields).length > 0 && context === JSON.stringify(fields, null, 2);
  return isAll ? fieldsText(fields) : context;
}

/** What all options have in common is said once, below them. Our own options say it in their description. */
function optionList(decision: DecisionView, look: Look): string[] {
  if (isOurs(decision)) {
    return decision.options.flatMap((it) =>
      optionLines(it.description === null ? it : { ...it, effect: "" }, decision, look),
    );
  }
  const effects = new Set(decision.options.map((it) => it.effect));
  const [common = ""] = effects.size === 1 && decision.options.length > 1 ? effects : [];
  const lines = decision.options.flatMap((it) =>
    optionLines(common ? { ...it, effect: "" } : it, decision, look),
  );
  return common ? [...lines, ...hang("     → ", safe(common), look.width).map(look.style.dim)] : lines;
}

function optionLines(option: OptionView, decision: DecisionView, { style, width }: Look): string[] {
  const isChosen = decision.answer?.choices.flat().includes(option.number) ?? false;
  const mark = isChosen ? style.green("✓") : option.recommended ? style.yellow("★") : " ";
  const [label = "", ...more] = wrap(safeLine(option.label), width - 9 - (option.recommended ? 13 : 0));
  const note = option.recommended ? style.dim("  recommended") : "";
  const body =
    option.description === null
      ? []
      : wrap(safe(option.description), width - 9).map((line) => `       ${line}`);
  const effect =
    option.effect === ""
      ? []
      : wrap(safe(option.effect), width - 9).map((line, at) =>
          style.dim(`     ${at === 0 ? "→" : " "} ${line}`),
        );
  return [
    `  ${style.bold(String(option.number))}  ${mark} ${style.bold(label)}${more.length === 0 ? note : ""}`,
    ...more.map((line, at) => `       ${style.bold(line)}${at === more.length - 1 ? note : ""}`),
    ...body,
    ...effect,
  ];
}

export function urgencyColour(urgency: DecisionView["urgency"], style: Style): (text: string) => string {
  return urgency === "high" ? style.red : urgency === "medium" ? style.yellow : style.dim;
}

function stateColour(state: DecisionView["state"], style: Style): (text: string) => string {
  return state === "pending" ? style.cyan : state === "resolved" ? style.green : style.dim;
}

/** "2026-07-30 14:03" in the person's time zone. */
function localTime(ms: number): string {
  const at = new Date(ms);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
