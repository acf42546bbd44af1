/**
 * Secrets that are known by their value, so that no word around them has to tell. Whoever starts a job chooses its
 * environment, and that may be an agent, which could declare the dangerous part of a command to be a secret. So an action
 * that lost such a part does not count as shown.
 */
import { mapTexts } from "./map-texts.ts";
import { redactText } from "./redact.ts";

/** Takes them out of every text in a value, except where the redactor does so by itself. */
export type Hide = <T>(value: T) => T;

const MARK = "[redacted secret]";

/** Whether anything was taken out of it that only its value told. */
export function hasHidden(value: unknown): boolean {
  let found = false;
  mapTexts(value, (it) => {
    found ||= it.includes(MARK);
    return it;
  });
  return found;
}

export function hiding(secrets: Iterable<string>): Hide {
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length); // one may begin as another does
  if (longestFirst.length === 0) return (value) => value;
  const hasAny = (text: string) => longestFirst.some((it) => text.includes(it));
  const without = (text: string) => longestFirst.reduce((left, it) => left.replaceAll(it, MARK), text);
  const hidden = (text: string) => (hasAny(text) && hasAny(redactText(text).value) ? without(text) : text);
  return (value) => mapTexts(value, hidden);
}
