/** The fields of an elicitation form as questions, and answers as the form's content. Pure. */
import type { Question } from "../scripted-agent/scenario/scenario.ts";
import type { Params } from "./wire/rpc.ts";
import { isObject, textOf } from "./wire/rpc.ts";

export interface Field {
  key: string;
  question: Question;
  required: boolean;
  type: "text" | "number" | "integer" | "boolean" | "one" | "many";
  /** What each label stands for. */
  values: Readonly<Record<string, string>>;
}

/** Null if it can't be asked: no form, nothing in it, or it wants a secret, which must not be typed here. */
export function fieldsOf(params: Params): { fields: Field[] } | { refused: string } {
  if (params.mode !== undefined && params.mode !== "form") return { refused: "only forms can be answered" };
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(properties);
  if (entries.length === 0) return { refused: "the form has no fields" };
  if (entries.length > MOST_FIELDS) return { refused: `the form has more than ${MOST_FIELDS} fields` };
  const fields: Field[] = [];
  for (const [key, value] of entries) {
    const it = isObject(value) ? value : {};
    if (isSecret(key, it)) return { refused: `${key} is a secret, which is never asked for here` };
    fields.push(fieldOf(key, it, { message: textOf(params.message), required: required.includes(key) }));
  }
  return { fields };
}

const MOST_FIELDS = 20;

function isSecret(key: string, { format, title, description }: Params): boolean {
  const words = [key, textOf(title), textOf(description)].join(" ");
  return format === "password" || /passw|secret|token|api.?key|credential|passphrase|\bpin\b/i.test(words);
}

const EMPTY = "Leave it empty";
const DECLINE = "Decline";

function fieldOf(
  key: string,
  it: Params,
  { message, required }: { message: string; required: boolean },
): Field {
  const title = textOf(it.title) || key;
  const description = textOf(it.description);
  const many = it.type === "array";
  const choices = choicesOf(many && isObject(it.items) ? it.items : it);
  const type = typeOf(it, choices.length > 0);
  const offered =
    type === "boolean"
      ? [
          { label: "Yes", value: "true" },
          { label: "No", value: "false" },
        ]
      : choices;
  const fallback =
    it.default === undefined || type === "many" ? [] : [{ label: String(it.default), value: "" }];
  const open = offered.length > 0 ? offered : fallback;
  const none = required
    ? offered.length > 0
      ? []
      : [{ label: DECLINE, value: "" }]
    : [{ label: EMPTY, value: "" }];
  return {
    key,
    required,
    type,
    values: Object.fromEntries(offered.map(({ label, value }) => [label, value])),
    question: {
      header: title.slice(0, 12),
      question: [message, `${title}${description === "" ? "" : `: ${description}`}`]
        .filter((it) => it)
        .join("\n"),
      multiSelect: many,
      ...(offered.length > 0 ? { closed: true } : {}),
      options: [...open, ...none].map(({ label }) => ({ label, description: "" })),
    },
  };
}

function typeOf({ type }: Params, hasChoices: boolean): Field["type"] {
  if (type === "array") return "many";
  if (hasChoices) return "one";
  return type === "number" || type === "integer" || type === "boolean" ? type : "text";
}

function choicesOf(it: Params): { label: string; value: string }[] {
  const titled = [it.oneOf, it.anyOf].find(Array.isArray) ?? [];
  const named = titled.flatMap((one) =>
    isObject(one) && typeof one.const === "string"
      ? [{ label: textOf(one.title) || one.const, value: one.const }]
      : [],
  );
  if (named.length > 0) return named;
  const names = Array.isArray(it.enumNames) ? it.enumNames : [];
  return (Array.isArray(it.enum) ? it.enum : [])
    .filter((one) => typeof one === "string")
    .map((value, n) => ({ label: textOf(names[n]) || value, value }));
}

/** The form's content, or why the answers are none. */
export function contentOf(
  fields: readonly Field[],
  answers: Readonly<Record<string, string>>,
): { content: Record<string, unknown> } | { refused: string; isUnfit: boolean } {
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const said = answers[field.question.question] ?? EMPTY;
    if (said === DECLINE && field.values[said] === undefined && field.required)
      return { refused: "declined", isUnfit: false };
    if (said === EMPTY && field.values[said] === undefined) {
      if (field.required) return { refused: `${field.key} is missing`, isUnfit: false };
      continue;
    }
    const value = readAs(field, said);
    if (value === null) return { refused: `"${said}" is no value for ${field.key}`, isUnfit: true };
    content[field.key] = value;
  }
  return { content };
}

/** The same fields, asked again, and why. */
export function withReason(fields: readonly Field[], why: string): Field[] {
  return fields.map((it, n) => {
    const { question } = it.question;
    return n > 0 ? it : { ...it, question: { ...it.question, question: `${why}. Once more:\n${question}` } };
  });
}

function readAs({ type, values }: Field, said: string): unknown {
  switch (type) {
    case "text":
      return said;
    case "number":
    case "integer": {
      const number = Number(said);
      if (said.trim() === "" || !Number.isFinite(number)) return null;
      return type === "integer" && !Number.isInteger(number) ? null : number;
    }
    case "boolean":
      return said === "Yes" || said === "true" ? true : said === "No" || said === "false" ? false : null;
    case "one":
      return values[said] ?? null;
    case "many":
      return manyOf(values, said);
  }
}

/** Labels are joined with commas and may contain some: the longest that fits comes first. */
function manyOf(values: Readonly<Record<string, string>>, said: string): string[] | null {
  const labels = Object.keys(values).toSorted((a, b) => b.length - a.length);
  const found: string[] = [];
  for (let rest = said; rest !== ""; ) {
    const label = labels.find((it) => rest === it || rest.startsWith(`${it}, `));
    if (label === undefined) return null;
    found.push(values[label] ?? "");
    rest = rest.slice(label.length).replace(/^, /, "");
  }
  return found;
}
