/**
 * `${namespace.path}` in the texts of a runbook: finds references and
 * fills them into plain text. Shell scripts are in shell-text.ts.
 */
import { Refusal } from "../model/errors.ts";
import type { Value } from "../model/runbook.ts";

export const NAMESPACES = [
  "var",
  "args",
  "local",
  "workspace",
  "invoke",
  "job",
  "step",
  "decision",
  "agent",
  "env",
] as const;

export interface Reference {
  raw: string;
  start: number;
  end: number;
  namespace: string;
  path: string[];
  /** `${var.name:0:8}`, counted in code points; as in bash, a negative offset or length counts from the end. */
  substring?: { offset: number; length?: number };
  /** `${var.base:-main}`: the text as written, used if the value is missing or empty. */
  fallback?: string;
  /** Why it can't be filled, if what follows the name is not one of our forms. */
  problem?: string;
}

export type Lookup = (reference: Reference) => Value | undefined;

/**
 * Every reference in a text, including those in another reference's default and in the shell's own `${…}`. Only the
 * dotted forms are ours: `${HOME}`, `${x:-y}` and `$(…)` belong to the shell.
 */
export function references(text: string): Reference[] {
  return splitText(text).flatMap((part) => {
    if (typeof part === "string") return [];
    if (part.fallback === undefined) return [part];
    const offset = part.end - 1 - part.fallback.length;
    const inner = references(part.fallback);
    return [part, ...inner.map((it) => ({ ...it, start: it.start + offset, end: it.end + offset }))];
  });
}

/** Fills plain text: prompts, names, context. A list becomes its items, separated by spaces. */
export function interpolate(text: string, lookup: Lookup): string {
  const missing: Reference[] = [];
  const filled = fill(text, lookup, missing);
  refuseMissing(missing);
  return filled;
}

/**
 * A text as literal parts and references. In the literal parts `$${` and `%%{` have become `${` and `%{`, except where
 * `%%` is the shell's own operator, as in `${name%%{*}`.
 */
export function splitText(text: string): (string | Reference)[] {
  const opening =
    /\$\$\{|%%\{(?<!\$\{[\w@*#?!-]+(?:\[[^\]]*\])?%%\{)|\$\{(?<namespace>[A-Za-z_]\w*)\.(?<path>[\w-]+(?:\.[\w-]+)*)?/g;
  const parts: (string | Reference)[] = [];
  let at = 0;
  let literal = "";
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    literal += text.slice(at, match.index);
    if (match.groups?.namespace === undefined) {
      literal += match[0].slice(1);
    } else {
      const reference = parseReference(text, match.index, match[0], match.groups);
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push(reference);
      opening.lastIndex = reference.end;
    }
    at = opening.lastIndex;
  }
  literal += text.slice(at);
  if (literal !== "") parts.push(literal);
  return parts;
}

/**
 * The value of a reference once its default or substring is applied; a reference without a value is added to `missing`.
 */
export function fillReference(reference: Reference, lookup: Lookup, missing: Reference[]): Value {
  if (reference.problem !== undefined) throw malformed(reference, reference.problem);
  const value = isKnown(reference) ? lookup(reference) : undefined;
  const { fallback, substring } = reference;
  const isEmpty = value === undefined || value.length === 0;
  if (isEmpty && fallback !== undefined && isKnown(reference)) return fill(fallback, lookup, missing);
  if (value === undefined) {
    missing.push(reference);
    return "";
  }
  return substring ? substringOf(textOf(value), substring) : value;
}

export function textOf(value: Value): string {
  return typeof value === "string" ? value : value.join(" ");
}

/** Names everything that is missing at once. */
export function refuseMissing(missing: Reference[]): void {
  const [first] = missing;
  if (!first) return;
  const names = [...new Set(missing.map(nameOf))];
  const stranger = missing.find((it) => !isKnown(it));
  const hint = stranger
    ? `"${stranger.namespace}" is not a namespace; the namespaces are ${NAMESPACES.join(", ")}. For a literal \${ write $\${.`
    : `give it a value, or a default: \${${nameOf(first)}:-…}`;
  const list = names.map((name) => `\${${name}}`).join(", ");
  throw new Refusal("value.missing", `${list} ${names.length === 1 ? "has" : "have"} no value.`, hint, {
    missing: names,
  });
}

/** `var.name`, as messages call it. */
export function nameOf(reference: Reference): string {
  return [reference.namespace, ...reference.path].join(".");
}

function fill(text: string, lookup: Lookup, missing: Reference[]): string {
  return splitText(text)
    .map((part) => (typeof part === "string" ? part : textOf(fillReference(part, lookup, missing))))
    .join("");
}

function isKnown(reference: Reference): boolean {
  return NAMESPACES.some((it) => it === reference.namespace);
}

function malformed(reference: Reference, problem: string): Refusal {
  const forms = `\${${nameOf(reference)}}, \${${nameOf(reference)}:-default} or \${${nameOf(reference)}:0:8}`;
  return new Refusal(
    "value.invalid",
    `${reference.raw} ${problem}.`,
    `write ${forms}; for a literal \${ write $\${`,
  );
}

function parseReference(
  text: string,
  start: number,
  opening: string,
  groups: Record<string, string>,
): Reference {
  const after = start + opening.length;
  const name = { start, namespace: groups.namespace ?? "", path: groups.path?.split(".") ?? [] };
  const make = (end: number, rest: Partial<Reference>): Reference => ({
    ...name,
    raw: text.slice(start, end),
    end,
    ...rest,
  });

  if (name.path.length > 0) {
    if (text.startsWith(":-", after)) {
      const close = closingBrace(text, after);
      if (close !== -1) return make(close + 1, { fallback: text.slice(after + 2, close) });
    }
    // A minus must have a space before it, as in bash: ":-" is always the default.
    const tail = /(?:: *(\d+)|: +(-\d+))?(?: *: *(-?\d+))? *\}/y;
    tail.lastIndex = after;
    const found = tail.exec(text);
    const offset = found?.[1] ?? found?.[2];
    const length = found?.[3];
    if (found?.[0] === "}") return make(tail.lastIndex, {});
    if (found && offset !== undefined) {
      const substring = {
        offset: Number(offset),
        ...(length === undefined ? {} : { length: Number(length) }),
      };
      return make(tail.lastIndex, { substring });
    }
  }
  const close = closingBrace(text, after);
  if (close === -1) return make(after, { problem: "is not closed" });
  return make(close + 1, { problem: "is not a reference" });
}

/** The position of the brace that closes a reference; the braces before it are balanced. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

function substringOf(text: string, { offset, length }: { offset: number; length?: number }): string {
  const points = [...text];
  const from = offset < 0 ? points.length + offset : offset;
  if (from < 0) return "";
  if (length === undefined) return points.slice(from).join("");
  return points.slice(from, length < 0 ? Math.max(from, points.length + length) : from + length).join("");
}
