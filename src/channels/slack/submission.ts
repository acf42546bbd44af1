/** What a person sent with a modal: an answer, or what is missing in it. */
import type { Scope } from "../../inbox/card/rule.ts";
import { idIn, parsed } from "./clicks.ts";
import type { Place } from "./place.ts";
import { object, placeIn, text } from "./place.ts";

/** What the modal asked for; it travels with the modal and comes back with its values. */
export type Asked = {
  id: string;
  sawAll: boolean;
  place: Place;
} & (
  | { type: "words"; number: number | null; field: "text" | "message" }
  | { type: "reason" }
  /** How many options each question has; the next number is Other. */
  | { type: "form"; counts: number[] }
  /** The rule with this hash was in the modal, all of it. */
  | { type: "remember"; hash: string }
);

export interface Given {
  choices: number[][];
  text: string | null;
  texts: (string | null)[];
  message: string | null;
}

export type Submitted =
  | { type: "answer"; given: Given; typed: string[] }
  | { type: "remember"; scope: Scope; hash: string }
  /** By block: what is missing there. */
  | { type: "missing"; errors: Record<string, string> };

export function askedIn(metadata: unknown): Asked | null {
  const given = parsed(metadata);
  const id = idIn(given.id);
  if (id === null) return null;
  const base = { id, place: placeIn(given.place), sawAll: given.sawAll === true };
  switch (given.type) {
    case "words":
      return {
        ...base,
        type: "words",
        number: Number.isInteger(given.number) ? (given.number as number) : null,
        field: given.field === "text" ? "text" : "message",
      };
    case "reason":
      return { ...base, type: "reason" };
    case "form":
      return isCounts(given.counts) ? { ...base, type: "form", counts: given.counts } : null;
    case "remember": {
      const hash = text(given.hash);
      return hash === null ? null : { ...base, type: "remember", hash };
    }
    default:
      return null;
  }
}

/** `values` is Slack's `state.values`: by block, then by element. */
export function submitted(asked: Asked, values: unknown): Submitted {
  const state = object(values);
  switch (asked.type) {
    case "words": {
      const said = wordsIn(state, "words");
      if (said === null) return { type: "missing", errors: { words: "Type your answer." } };
      const choices = asked.number === null ? [] : [[asked.number]];
      const given = { choices, text: null, texts: [], message: null, [asked.field]: said };
      return { type: "answer", given, typed: [said] };
    }
    case "reason": {
      const [number] = numbersIn(state, "choice");
      if (number === undefined) return { type: "missing", errors: { choice: "Choose an answer." } };
      const said = wordsIn(state, "words");
      const given = { choices: [[number]], text: null, texts: [], message: said };
      return { type: "answer", given, typed: said === null ? [] : [said] };
    }
    case "form":
      return formAnswer(asked.counts, state);
    case "remember": {
      const scope = SCOPES[(numbersIn(state, "choice")[0] ?? 0) - 1];
      if (scope === undefined) return { type: "missing", errors: { choice: "Choose how long." } };
      return { type: "remember", scope, hash: asked.hash };
    }
  }
}

/** By the numbers that they have wherever a rule is shown. */
const SCOPES: readonly Scope[] = ["once", "job", "project"];

function formAnswer(counts: readonly number[], state: Record<string, unknown>): Submitted {
  const errors: Record<string, string> = {};
  const texts = counts.map((_, at) => wordsIn(state, `words${at}`));
  const choices = counts.map((count, at) => {
    const other = count + 1;
    const numbers = numbersIn(state, `choice${at}`);
    const isSaid = texts[at] !== null;
    if (numbers.length === 0 && isSaid) return [other];
    if (numbers.length === 0)
      errors[`choice${at}`] =
        `words${at}` in state ? "Choose an answer, or write one below." : "Choose an answer.";
    if (numbers.includes(other) && !isSaid) errors[`words${at}`] = "Write your answer here.";
    if (isSaid && !numbers.includes(other) && numbers.length > 0)
      errors[`words${at}`] = "Choose Other above, or leave this empty.";
    return numbers;
  });
  if (Object.keys(errors).length > 0) return { type: "missing", errors };
  const typed = texts.filter((it) => it !== null);
  const given =
    counts.length > 1
      ? { choices, text: null, texts: typed.length > 0 ? texts : [], message: null }
      : { choices, text: texts[0] ?? null, texts: [], message: null };
  return { type: "answer", given, typed };
}

function elementIn(state: Record<string, unknown>, block: string, element: string): Record<string, unknown> {
  return object(object(state[block])[element]);
}

function wordsIn(state: Record<string, unknown>, block: string): string | null {
  const { value } = elementIn(state, block, "text");
  const words = typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : "";
  return words === "" ? null : words;
}

function numbersIn(state: Record<string, unknown>, block: string): number[] {
  const { selected_option, selected_options } = elementIn(state, block, "choice");
  const all = Array.isArray(selected_options) ? selected_options : [selected_option];
  return all.flatMap((it) => {
    const { value } = object(it);
    return typeof value === "string" && /^\d{1,3}$/.test(value) ? [Number(value)] : [];
  });
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((it) => Number.isInteger(it));
}
