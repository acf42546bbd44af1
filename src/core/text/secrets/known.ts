/**
 * Secrets that are known by their value, so that no word around them has to tell. Whoever starts a job says what is in its
 * environment, and an agent may be that: a part of a command that it called a secret could be what acts. So an action
 * that lost such a part does not count as shown.
 */
import { redactText } from "./redact.ts";

/** Takes them out of every text in a value, except where the redactor does so by itself. */
export type Hide = <T>(value: T) => T;

const MARK = "[redacted secret]";

/** Whether anything was taken out of it that only its value told. */
export function hasHidden(value: unknown): boolean {
  if (typeof value === "string") return value.includes(MARK);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, it]) => hasHidden(key) || hasHidden(it));
}

export function hiding(secrets: Iterable<string>): Hide {
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length); // one may begin as another does
  if (longestFirst.length === 0) return (value) => value;
  const pattern = new RegExp(longestFirst.map(quoted).join("|"), "g");
  const isIn = (text: string) => text.search(pattern) >= 0;
  const text = (it: string) => (isIn(it) && isIn(redactText(it).value) ? it.replace(pattern, MARK) : it);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [text(key), walk(it)]));
  };
  return (value) => walk(value) as typeof value;
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
