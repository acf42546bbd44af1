/**
 * Takes secrets out of text before it leaves the machine. A secret is known by its own shape (`shapes.ts`) or by the
 * words around it (`places.ts`). Every pattern starts at a fixed word and can't overlap itself, so the time grows with the
 * length of the text and nothing else.
 *
 * What is taken out is marked where it stood. It is `plain` if it has none of the characters that a shell or a program
 * could read as more than a value; an action that lost only plain values still counts as shown whole, because nothing
 * that could act is hidden in it and its hash is that of the real one (`docs/redaction.md`).
 */
import { mapTexts } from "./map-texts.ts";
import type { Found } from "./places.ts";
import { isSecretName, PLACES } from "./places.ts";
import { kindOf, PRIVATE_KEYS, SHAPES } from "./shapes.ts";
import { isTelling } from "./values.ts";

export interface Redacted<T> {
  value: T;
  /** How many secrets were taken out. */
  count: number;
  /** Whether each of them was a plain value. */
  isPlain: boolean;
}

/** What would be taken out of this environment, and is a secret wherever else it stands: see `known.ts`. */
export function secretsIn(env: Readonly<Record<string, string>>): string[] {
  const tally = newTally();
  scrubAll(env, tally);
  return tally.taken.filter((it) => PLAIN.test(it) && isTelling(it));
}

/** The text without secrets. */
export function redact(text: string): string {
  return redactText(text).value;
}

export function redactText(text: string): Redacted<string> {
  const tally = newTally();
  return told(scrub(text, tally), tally);
}

/** The same value with no secret in any of its texts; a text under a name such as `password` is taken out as a whole. */
export function redactAll<T>(value: T): Redacted<T> {
  const tally = newTally();
  return told(scrubAll(value, tally), tally);
}

interface Tally {
  taken: string[];
  isPlain: boolean;
}

function newTally(): Tally {
  return { taken: [], isPlain: true };
}

function told<T>(value: T, { taken, isPlain }: Tally): Redacted<T> {
  return { value, count: taken.length, isPlain };
}

function scrubAll<T>(value: T, tally: Tally): T {
  return mapTexts(value, (it, name) => {
    const text = scrub(it, tally);
    return text === it && isSecretName(name, it) ? mark("value", it, tally) : text;
  });
}

/** Characters that mean nothing but themselves in a shell, a URL, a list or a line of a config file. */
const PLAIN = /^[\w.~+/=:@%,!*?^#-]*$/;

function mark(kind: string, secret: string, tally: Tally): string {
  tally.taken.push(secret);
  tally.isPlain &&= PLAIN.test(secret);
  return `[redacted ${kind}]`;
}

/** Most texts of a decision are such words: the names of its fields. No secret is known that has nothing else in it. */
const BARE_WORD = /^[a-z_]{0,12}$/;

function scrub(text: string, tally: Tally): string {
  if (BARE_WORD.test(text)) return text;
  let left = text.replace(PRIVATE_KEYS, (block: string, begin: string, body: string, end: string) =>
    scrubKey({ block, begin, body, end }, tally),
  );
  left = left.replace(SHAPES, (secret) => mark(kindOf(secret), secret, tally));
  for (const { kind, pattern, find } of PLACES) {
    const text = left;
    left = text.replace(pattern, (all: string, ...more: (string | number | undefined)[]) => {
      const at = more.at(-2) as number;
      const after = text.charAt(at + all.length);
      const parts = find([all, ...(more.slice(0, -2) as (string | undefined)[])], after);
      return replaceParts(all, parts, (secret) => mark(kind, secret, tally));
    });
  }
  return left;
}

/** Puts a mark in the place of each part that was found; parts are in order and don't overlap. */
function replaceParts(all: string, parts: readonly Found[], toMark: (secret: string) => string): string {
  let made = "";
  let from = 0;
  for (const { start, end } of parts) {
    made += all.slice(from, start) + toMark(all.slice(start, end));
    from = end;
  }
  return made + all.slice(from);
}

/** The first and the last line stay, and so does the number of lines: a diff keeps its shape. */
function scrubKey(key: PrivateKey, tally: Tally): string {
  if (key.body.trim() === "") return key.block;
  mark("", isBase64(key.body) ? "" : " ", tally);
  const body = key.body.replace(/[^\s+\->|#*"'\\][^\n]*/g, "[redacted private key]");
  return `${key.begin}${body}${key.end}`;
}

interface PrivateKey {
  block: string;
  begin: string;
  body: string;
  end: string;
}

/** Long lines of base64, and a shorter one at the end: no room for a line that does something. */
function isBase64(body: string): boolean {
  const lines = body.split(/\r?\n|\\n/).map((it) => it.replace(/^[+-]?\s*/, ""));
  const [last = "", ...others] = lines.filter((it) => it !== "").reverse();
  return [last.padEnd(LINE, "="), ...others].every(
    (it) => it.length >= LINE && /^[A-Za-z0-9+/]+=*$/.test(it),
  );
}

/** Shorter than any line of a key but its last. */
const LINE = 40;
