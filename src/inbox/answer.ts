/**
 * Turns what a person has chosen so far into an answer, or into what is still missing. It works with options, not with
 * bare numbers.
 */
import type { DecisionView, OptionView, ResolveBody } from "../api/api.ts";
import { withOther } from "../core/text/resolve-hint.ts";
import { areWordsAnswer, wordsNeededBy } from "./card/needs.ts";
import { effectOf } from "./card/words.ts";
import { changeIn, editable } from "./edit.ts";
import { hearsWords, isFailure } from "./failed.ts";
import type { AnswerForm } from "./model.ts";

/** One thing to choose from: a decision's options, or one of its questions. */
export interface Choice {
  title: string | null;
  header: string | null;
  multiple: boolean;
  options: readonly ChoiceOption[];
}

export interface ChoiceOption {
  number: number;
  label: string;
  description: string | null;
  /** What choosing this option will do, in words; empty if that is said already. */
  effect: string;
  recommended: boolean;
  /** Whether it lets an agent or a job go on with what the decision is about. */
  acts: boolean;
  /** The text that the option needs: a free answer, or what to change. */
  needs: "text" | "message" | null;
}

export type Reading =
  /** `acts`: it lets an agent or a job go on, so all that the decision is about must have been on screen. */
  | { type: "ready"; body: ResolveBody; words: string; acts: boolean }
  | { type: "missing"; at: number; why: string }
  | { type: "words"; at: number; field: "text" | "message"; why: string };

/**
 * The choices to make, in order: a single one, or one for each of several questions and a last one to send or cancel.
 */
export function choicesOf(decision: DecisionView): Choice[] {
  const { questions, options } = decision;
  if (questions.length <= 1) {
    const multiple = questions[0]?.multi_select ?? false;
    return [
      {
        title: questions[0]?.question ?? null,
        header: null,
        multiple,
        options: options.map((it) => ownOption(it, decision)),
      },
    ];
  }
  const asked = questions.map((it): Choice => {
    const own = it.options.map(({ label, description }, index) => ({
      ...plain(index + 1, label, description),
    }));
    const other = {
      ...plain(own.length + 1, "Other", "Answer in your own words"),
      acts: false,
      needs: "text" as const,
    };
    return {
      title: it.question,
      header: it.header,
      multiple: it.multi_select,
      options: withOther(it, own, other),
    };
  });
  const send = plain(1, "Send", "Send all answers");
  const rest = options
    .filter((it) => it.key !== "dismiss")
    .map((it, index) => ({ ...ownOption(it, decision), number: index + 2 }));
  return [...asked, { title: null, header: "Send", multiple: false, options: [send, ...rest] }];
}

/**
 * Chooses a number in the place in focus, or undoes that; a single choice among several questions moves on to the next.
 */
export function choose(decision: DecisionView, form: AnswerForm, number: number): AnswerForm {
  const places = choicesOf(decision);
  const place = places[form.at];
  if (!place?.options.some((it) => it.number === number)) return form;
  const now = form.choices[form.at] ?? [];
  const isOwn = place.multiple && number <= (decision.questions[form.at]?.options.length ?? 0);
  const kept = now.filter((it) => it <= (decision.questions[form.at]?.options.length ?? 0));
  const chosen = !isOwn
    ? [number]
    : kept.includes(number)
      ? kept.filter((it) => it !== number)
      : [...kept, number].sort((a, b) => a - b);
  const last = places.length - 1;
  // whoever answers a question no longer wants what stands in place of all answers, such as Cancel
  const isKept = (at: number) => at !== last || last === 0;
  const choices = places.map((_, at) =>
    at === form.at ? chosen : isKept(at) ? [...(form.choices[at] ?? [])] : [],
  );
  const moves = places.length > 1 && !place.multiple && form.at < places.length - 1;
  const needs = place.options.find((it) => it.number === number)?.needs ?? null;
  const at = moves && needs === null ? form.at + 1 : form.at;
  return { ...form, choices, at, cursor: at === form.at ? number - 1 : 0 };
}

/** The text that the chosen option still needs. Each of several questions needs its own. */
export function wordsNeeded(decision: DecisionView, form: AnswerForm, at: number): "text" | "message" | null {
  const places = choicesOf(decision);
  const options = places[at]?.options ?? [];
  const several = places.length > 1;
  for (const number of form.choices[at] ?? []) {
    const needs = options.find((it) => it.number === number)?.needs ?? null;
    const isSaid = [form.texts[at] ?? "", several ? "" : form.message].some((it) => it.trim() !== "");
    if (needs !== null && !isSaid) return needs;
  }
  return null;
}

/** The answer as it would be sent now. */
export function read(decision: DecisionView, form: AnswerForm): Reading {
  const message = form.message.trim() === "" ? null : form.message;
  const places = choicesOf(decision);
  const several = places.length > 1;
  const text = several ? null : said(form, 0);
  const last = places.length - 1;
  const sending = several ? (form.choices[last] ?? []) : [];
  const [sent] = sending;
  if (several && sent !== undefined && sent > 1) {
    const option = decision.options.filter((it) => it.key !== "dismiss")[sent - 2];
    if (option)
      return {
        type: "ready",
        body: { option: option.key, text: null, message },
        words: option.label,
        acts: option.acts,
      };
  }
  const asked = several ? places.slice(0, last) : places;
  for (const [at, place] of asked.entries()) {
    const chosen = form.choices[at] ?? [];
    if (chosen.length === 0) {
      if ((text !== null || message !== null) && wordsSuffice(decision))
        return {
          type: "ready",
          body: { choices: [], text, message },
          words: text ?? message ?? "",
          acts: false,
        };
      return {
        type: "missing",
        at,
        why: several ? `${place.header ?? place.title ?? ""} has no answer yet` : "choose an option first",
      };
    }
    const needs = wordsNeeded(decision, form, at);
    if (needs !== null)
      return {
        type: "words",
        at,
        field: needs,
        why: `${needs === "text" ? "type your answer" : (WORDS_FOR[decision.source] ?? "type your message")}${several ? `: ${place.header ?? place.title ?? ""}` : ""}`,
      };
  }
  const choices = asked.map((_, at) => [...(form.choices[at] ?? [])]);
  const words = several ? ownWords(asked, form) : { text };
  const acts = asked.some((place, at) =>
    place.options.some((it) => it.acts && choices[at]?.includes(it.number)),
  );
  const body = { choices, ...words, message };
  const isTaken = editable(decision).some((it) => choices[0]?.includes(it.number));
  const change = isTaken ? changeIn(decision, form) : null;
  if (!isTaken && acts && decision.source === "plan" && changeIn(decision, form) !== null)
    return { type: "missing", at: 0, why: "your change goes only with an Accept that keeps the context" };
  if (change === null) return { type: "ready", body, words: labels(asked, choices), acts };
  if ("problem" in change)
    return { type: "missing", at: 0, why: `the change can't be sent: ${change.problem}` };
  const changed = `${labels(asked, choices)}, with a change`;
  return { type: "ready", body: { ...body, input: change.input }, words: changed, acts };
}

const WORDS_FOR: Partial<Record<DecisionView["source"], string>> = {
  plan: "say what to change",
  idle: "type your reply",
};

/** Each question that is answered with Other sends its own text. */
function ownWords(asked: readonly Choice[], form: AnswerForm): Pick<ResolveBody, "text" | "texts"> {
  const texts = asked.map((place, at) => {
    const chosen = form.choices[at] ?? [];
    return place.options.some((it) => it.needs === "text" && chosen.includes(it.number))
      ? said(form, at)
      : null;
  });
  const given = texts.filter((it) => it !== null);
  return given.length > 1 ? { texts } : { text: given[0] ?? null };
}

function said(form: AnswerForm, at: number): string | null {
  const text = form.texts[at] ?? "";
  return text.trim() === "" ? null : text;
}

/** Whether text alone is an answer, and somebody hears it. */
export function wordsSuffice(
  decision: Pick<DecisionView, "id" | "agent_id" | "source" | "questions">,
): boolean {
  return areWordsAnswer(decision) && hearsWords(decision);
}

/** Everything can be dismissed, whether or not Dismiss is among its options. */
export function dismissal(form: AnswerForm): ResolveBody {
  return { option: "dismiss", message: form.message.trim() === "" ? null : form.message };
}

/** What comes of dismissing it, in words. */
export function dismissalWords({ id, source, owner }: Pick<DecisionView, "id" | "source" | "owner">): string {
  if (isFailure(id)) return `it leaves the inbox; ${owner.name} stays failed, and can still be resumed`;
  if (source === "request") return `${owner.name} is told that there is no answer for now`;
  if (owner.kind === "requester") return `the dialog is left to the terminal of ${owner.name}`;
  return `nothing happens: ${owner.name} keeps waiting until something else moves it`;
}

function labels(places: readonly Choice[], choices: readonly (readonly number[])[]): string {
  return places
    .map((place, at) =>
      (choices[at] ?? []).map((it) => place.options.find((one) => one.number === it)?.label ?? it).join(", "),
    )
    .join(" · ");
}

function ownOption(option: OptionView, decision: DecisionView): ChoiceOption {
  const { number, label, description, recommended, acts } = option;
  const needs = wordsNeededBy(option, decision);
  return { number, label, description, effect: effectOf(decision, option), recommended, acts, needs };
}

function plain(number: number, label: string, description: string | null): ChoiceOption {
  return { number, label, description, effect: "", recommended: false, acts: true, needs: null };
}
