/**
 * What was made from files, kept for as long as none of them has changed. Every use asks the system about each file that was
 * looked at, which takes microseconds, where reading and parsing takes milliseconds.
 */
import fs from "node:fs";

/** Called with a file or a folder before it is looked at: for whether it is there at all, or for what it says. */
export type Saw = (file: string, what: "there" | "text") => void;

interface Kept<T> {
  value: T;
  marks: readonly Mark[];
}

interface Mark {
  file: string;
  what: "there" | "text";
  was: string;
}

/**
 * Two changes within one tick of the system's clock leave the same times behind, and some file systems count in steps of two
 * seconds: what was made from a file that has just changed is not kept.
 */
const YOUNG_MS = 3000;

const MOST = 50;

/** `isWorth`: false for a result that may be another next time, though no file has changed. */
export function keepWhile<T>(
  make: (key: string, saw: Saw) => T,
  isWorth: (made: Awaited<T>) => boolean = () => true,
  now: () => number = Date.now,
): (key: string) => T {
  const known = new Map<string, Kept<T>>();

  return (key) => {
    const before = known.get(key);
    if (before?.marks.every((it) => markOf(it) === it.was)) return before.value;
    known.delete(key);
    const marks: Mark[] = [];
    let isFirm = true;
    const value = make(key, (file, what) => {
      const found = statOf(file);
      marks.push({ file, what, was: markOf({ file, what }, found) });
      if (what === "there" || !isYoung(found, now())) return;
      isFirm = false;
      known.delete(key);
    });
    const settle = (made: Awaited<T>) => {
      if (!isWorth(made)) known.delete(key);
    };
    if (!isFirm) return value;
    known.set(key, { value, marks });
    if (known.size > MOST) known.delete(known.keys().next().value ?? key);
    if (value instanceof Promise) value.then(settle, () => known.delete(key));
    else settle(value as Awaited<T>);
    return value;
  };
}

/** What the system says about it; a word if it can't. */
function statOf(file: string): fs.Stats | string {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) ?? "ENOENT";
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function markOf({ file, what }: Pick<Mark, "file" | "what">, found = statOf(file)): string {
  if (typeof found === "string") return found;
  if (what === "there") return "there";
  const { dev, ino, mode, size, mtimeMs, ctimeMs } = found;
  return [dev, ino, mode, size, mtimeMs, ctimeMs].join(" ");
}

/** Also if its times are still to come: clocks may be set back. */
function isYoung(found: fs.Stats | string, now: number): boolean {
  return typeof found !== "string" && now - Math.max(found.mtimeMs, found.ctimeMs) < YOUNG_MS;
}
