/**
 * A runbook's shell text as a bash script. Values travel in variables beside it, never as text of the script, so a
 * value can't become syntax, whatever surrounds its reference. How bash reads the script is in core/script/grammar.ts.
 */
import { Refusal } from "../model/errors.ts";
import type { Value } from "../model/runbook.ts";
import { specialVariable } from "./faults.ts";
import type { Read } from "./grammar.ts";
import { lexScript } from "./grammar.ts";
import type { Hole } from "./hole.ts";
import { HOLE } from "./hole.ts";
import type { Lookup, Reference } from "./interpolate.ts";
import {
  fillReference,
  interpolate,
  nameOf,
  references as referencesIn,
  refuseMissing,
  splitText,
  textOf,
} from "./interpolate.ts";
import { checkNeed, invalid, refuseFault } from "./needs.ts";
import type { Lexed } from "./scan.ts";
import { isSpecial } from "./variables.ts";

/** `values` go into the environment of bash. The script begins by un-exporting them, so that no child sees them. */
export interface ShellText {
  script: string;
  values: Record<string, string>;
}

/** Linux allows 128 KiB for one variable, and about 2 MiB for all of them with the rest of the environment. */
const LARGEST_VALUE = 100_000;
const LARGEST_TOTAL = 1_000_000;

/** `env` is what the step sets in addition: its values may contain references too, and the script can evaluate them. */
export function shellText(
  text: string,
  lookup: Lookup,
  env: Readonly<Record<string, string>> = {},
): ShellText {
  if (text.includes(HOLE))
    throw new Refusal("value.invalid", "The script contains a NUL character, which bash can't read.");
  const parts = splitText(text);
  const references = parts.filter((it) => typeof it !== "string");
  const holed = parts.map((it) => (typeof it === "string" ? it : HOLE)).join("");
  const outside = Object.keys(env).filter((name) => referencesIn(env[name] ?? "").length > 0);
  if (references.length + outside.length === 0) return { script: holed, values: {} };

  const lexed = lexScript(holed, outside);
  checkOutside(lexed, env, lookup);
  if (references.length === 0) return { script: holed, values: {} };
  const filled = fillHoles(holesOf(lexed), references, lookup);
  const variables = new Variables();
  const written = new Map(filled.map((it) => [it.hole, write(it, variables)]));
  const script = rewrite(lexed, (hole) => written.get(hole) ?? "");
  return { script: variables.prologue() + script, values: variables.values };
}

function checkOutside({ outside }: Read, env: Readonly<Record<string, string>>, lookup: Lookup): void {
  for (const [name, { fault, needs }] of outside) {
    if (isSpecial(name)) refuseFault(`The value of ${name}`, specialVariable(name));
    if (fault) refuseFault(`The value of ${name}`, fault);
    for (const need of needs) checkNeed(need, `The value of ${name}`, interpolate(env[name] ?? "", lookup));
  }
}

interface Filled {
  hole: Hole;
  reference: Reference;
  value: Value;
}

/** Holes in the order of the script, which is the order of its references. */
export function holesOf({ edits }: Lexed): Hole[] {
  return inOrder(edits).flatMap((it) =>
    it.type === "hole" ? [it] : it.type === "nested" ? holesOf(it.script) : [],
  );
}

function fillHoles(holes: Hole[], references: Reference[], lookup: Lookup): Filled[] {
  if (holes.length !== references.length)
    throw new Error(`${references.length} references, but ${holes.length} places for them`);
  const missing: Reference[] = [];
  const filled = references.flatMap((reference, at) => {
    const hole = holes[at];
    if (!hole) return [];
    if (hole.fault) refuseFault(nameIn(reference), hole.fault);
    // A comment may name what no longer exists.
    const value = hole.place === "comment" ? "" : fillReference(reference, lookup, missing);
    return [{ hole, reference, value }];
  });
  refuseMissing(missing);
  return filled;
}

/** The variables that a script needs; a reference that occurs twice shares one. */
class Variables {
  readonly values: Record<string, string> = {};
  private readonly names = new Map<string, string>();
  private total = 0;

  add(reference: Reference, value: string, item?: number): string {
    const key = `${reference.raw} ${item}`;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = `OJ_V${this.names.size}`;
    this.total += checkedSize(reference, value);
    if (this.total > LARGEST_TOTAL) {
      throw invalid(
        nameIn(reference),
        `would bring the values of this script to ${this.total} bytes; at most ${LARGEST_TOTAL} fit`,
      );
    }
    this.names.set(key, name);
    this.values[name] = value;
    return name;
  }

  /** On the first line of the script, so that bash's line numbers stay true. */
  prologue(): string {
    return this.names.size === 0 ? "" : `export -n ${[...this.names.values()].join(" ")}; `;
  }
}

/** The text that expands to the value, depending on what surrounds the hole. */
function write({ hole, reference, value }: Filled, variables: Variables): string {
  if (hole.place === "comment") return nameIn(reference);
  for (const need of hole.needs) checkNeed(need, nameIn(reference), textOf(value));
  if (hole.place === "words" && typeof value !== "string") {
    // Expands to no word at all, and unlike empty text it still separates what is to the left and right of it.
    if (value.length === 0) return `\${OJ_V+}`;
    return value.map((item, at) => `"\${${variables.add(reference, item, at)}}"`).join(" ");
  }
  const expansion = `\${${variables.add(reference, textOf(value))}}`;
  switch (hole.place) {
    case "words":
    case "word":
      return `"${expansion}"`;
    case "double":
      return expansion;
    case "single":
      return `'"${expansion}"'`;
    case "ansi":
      return `'"${expansion}"$'`;
    case "outside":
      throw new Error("a variable from outside has no place in the script");
  }
}

function checkedSize(reference: Reference, value: string): number {
  if (value.includes("\0"))
    throw invalid(nameIn(reference), "contains a NUL character, which a shell variable can't hold");
  const size = new TextEncoder().encode(value).length;
  if (size > LARGEST_VALUE)
    throw invalid(
      nameIn(reference),
      `has ${size} bytes; at most ${LARGEST_VALUE} fit into a script's variable`,
    );
  return size;
}

function nameIn(reference: Reference): string {
  return `\${${nameOf(reference)}}`;
}

function rewrite({ text, edits }: Lexed, write: (hole: Hole) => string): string {
  let out = "";
  let at = 0;
  for (const edit of inOrder(edits)) {
    out += text.slice(at, edit.start);
    if (edit.type === "hole") out += write(edit);
    else if (edit.type === "patch") out += edit.text;
    else out += rewrite(edit.script, write).replace(/[\\`]/g, "\\$&");
    at = edit.end;
  }
  return out + text.slice(at);
}

/** In the order of the text: a here-document's delimiter is patched later than what follows it on its line. */
function inOrder(edits: Lexed["edits"]): Lexed["edits"] {
  return [...edits].sort((a, b) => a.start - b.start);
}
