/** Named attributes of a block or object, each with a shape: reads them and reports unknown and missing ones. */

import { suggest } from "../../core/text/suggest.ts";
import type { Report, Span } from "../hcl/source.ts";
import type { Value } from "../hcl/syntax.ts";
import type { Shape } from "./shape.ts";
import { insteadOf, refuse } from "./shape.ts";

export interface Field<T> {
  shape: Shape<T>;
  required: boolean;
  description: string;
}

export type Fields = Record<string, Field<unknown>>;

/** Any of them may be absent: a missing required one has been reported, and reading continues. */
export type Read<F extends Fields> = { [K in keyof F]?: F[K] extends Field<infer T> ? T : never };

export function optional<T>(shape: Shape<T>, description: string): Field<T> {
  return { shape, required: false, description };
}

export function required<T>(shape: Shape<T>, description: string): Field<T> {
  return { shape, required: true, description };
}

/** The block or object with the fields, for messages. */
export interface Holder {
  what: string;
  at: Span;
  broken?: boolean;
  /** Names that were used or meant: a misspelled attribute is not reported as missing too. */
  mentioned?: ReadonlySet<string>;
}

export interface Given {
  name: string;
  at: Span;
  value: Value;
}

export function readFields<F extends Fields>(
  fields: F,
  given: Given[],
  holder: Holder,
  report: Report,
): Read<F> {
  const read: Read<F> = {};
  for (const { name, at, value } of given) {
    const field = own(fields, name);
    if (field === undefined) {
      report(at, `${holder.what} has no attribute "${name}"`, insteadOf(name, Object.keys(fields)));
      continue;
    }
    const result = field.shape.read(value, report, name);
    if (result !== undefined) Object.assign(read, { [name]: result });
  }
  const mentioned = holder.mentioned ?? new Set(given.map((it) => meant(it.name, Object.keys(fields))));
  for (const [name, field] of Object.entries(fields)) {
    const isMissing = field.required && !mentioned.has(name);
    if (isMissing && !holder.broken)
      report(holder.at, `${holder.what} needs ${name}`, `${name} is ${field.description}`);
  }
  return read;
}

/** The name itself, or the known name that was probably meant. */
export function meant(name: string, known: string[]): string {
  return known.includes(name) ? name : (suggest(name, known) ?? name);
}

/** An object that counts only if all of its required fields could be read. */
export function filled<F extends Fields>(fields: F, expected: string): Shape<Required<Read<F>>> {
  const isFull = (read: Read<F>): read is Required<Read<F>> => Object.keys(fields).every((it) => it in read);
  return {
    expected,
    read(value, report, name) {
      const read = readObject(fields, value, report, name, expected);
      return read && isFull(read) ? read : undefined;
    },
  };
}

export function readObject<F extends Fields>(
  fields: F,
  value: Value,
  report: Report,
  name: string,
  expected: string,
): Read<F> | undefined {
  if (value.type !== "object") return refuse(value, report, name, expected);
  const given = value.entries.map((it) => ({ name: it.key, at: it.at, value: it.value }));
  return readFields(fields, given, { what: name, at: value.at }, report);
}

function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
