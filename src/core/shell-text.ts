/**
 * A runbook's shell text as a bash script whose values travel in variables beside it, never as text of the script: a value
 * can't become syntax, whatever stands around its reference. How bash reads the script is shell-grammar.ts's.
 */
import { Refusal } from "./errors.ts";
import type { Value } from "./events.ts";
import type { Lookup, Reference } from "./interpolate.ts";
import { fillReference, nameOf, refuseMissing, splitText, textOf } from "./interpolate.ts";
import { lexScript } from "./shell-grammar.ts";
import type { Hole, Lexed, Need } from "./shell-scan.ts";
import { HOLE } from "./shell-scan.ts";

/** `values` are for the environment of bash. The script's first words un-export them, so that no child sees them. */
export interface ShellText {
  script: string;
  values: Record<string, string>;
}

/** Linux takes 128 KiB for one variable, and about 2 MiB for all of them with the rest of the environment. */
const LARGEST_VALUE = 100_000;
const LARGEST_TOTAL = 1_000_000;

export function shellText(text: string, lookup: Lookup): ShellText {
  if (text.includes(HOLE))
    throw new Refusal("value.invalid", "The script holds a NUL character, which bash can't read.");
  const parts = splitText(text);
  const references = parts.filter((it) => typeof it !== "string");
  const holed = parts.map((it) => (typeof it === "string" ? it : HOLE)).join("");
  if (references.length === 0) return { script: holed, values: {} };

  const lexed = lexScript(holed);
  const filled = fillHoles(holesOf(lexed), references, lookup);
  const variables = new Variables();
  const written = new Map(filled.map((it) => [it.hole, write(it, variables)]));
  const script = rewrite(lexed, (hole) => written.get(hole) ?? "");
  return { script: variables.prologue() + script, values: variables.values };
}

interface Filled {
  hole: Hole;
  reference: Reference;
  value: Value;
}

/** Holes in the order of the script, which is the order of its references. */
function holesOf({ edits }: Lexed): Hole[] {
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
        reference,
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

/** The text that expands to the value, by what stands around the hole. */
function write({ hole, reference, value }: Filled, variables: Variables): string {
  if (hole.place === "comment") return `\${${nameOf(reference)}}`;
  if (hole.need) checkNeed(hole.need, reference, textOf(value));
  if (hole.place === "words" && typeof value !== "string") {
    // Expands to no word at all, and unlike empty text it still keeps what is left and right of it apart.
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
  }
}

/** What a value must look like where bash would evaluate it. */
const NEEDS: Record<Need, { allows: RegExp; sentence: string }> = {
  integer: { allows: /^[-+]?\d+$/, sentence: "stands where bash calculates, so it must be an integer" },
  operand: {
    allows: /^[-+]?[\w.]*$/,
    sentence: "goes into a variable that bash calculates with, so it may hold only letters, digits, _ and .",
  },
  name: {
    allows: /^\w*$/,
    sentence: "stands for the name of a shell variable, so it may hold only letters, digits and _",
  },
  format: {
    allows: /^[^-]|^$/,
    sentence: "stands where printf would take it for an option; write printf '%s' before it",
  },
  script: {
    allows: /^[\p{L}\p{N}_@%+=:,./-]*$/u,
    sentence: "stands in text that is run as a script, so it may hold only letters, digits and _@%+=:,./-",
  },
  scalar: {
    allows: /^(?!\([\s\S]*\)$)/,
    sentence: "stands where bash could read (…) as an array; assign it on a line of its own",
  },
};

function checkNeed(need: Need, reference: Reference, text: string): void {
  if (!NEEDS[need].allows.test(text))
    throw invalid(reference, `${NEEDS[need].sentence}. It is ${excerpt(text)}`);
}

function checkedSize(reference: Reference, value: string): number {
  if (value.includes("\0")) throw invalid(reference, "holds a NUL character, which no shell variable can");
  const size = new TextEncoder().encode(value).length;
  if (size > LARGEST_VALUE)
    throw invalid(reference, `has ${size} bytes; at most ${LARGEST_VALUE} fit into a script's variable`);
  return size;
}

function invalid(reference: Reference, problem: string): Refusal {
  return new Refusal("value.invalid", `\${${nameOf(reference)}} ${problem}.`, null, {
    reference: nameOf(reference),
  });
}

function excerpt(text: string): string {
  const points = [...text];
  return JSON.stringify(points.length > 40 ? `${points.slice(0, 40).join("")}…` : text);
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

/** A here-document's delimiter is found before, and changed after, what stands behind it on its line. */
function inOrder(edits: Lexed["edits"]): Lexed["edits"] {
  return [...edits].sort((a, b) => a.start - b.start);
}
