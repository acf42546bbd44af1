/** What was copied, and how large something is, in words. */
import { count } from "../../inbox/card/words.ts";
import type { Copied } from "../../store/main.ts";
import { safeLine } from "../../text/safe.ts";

export function copiedWords({ events, from, to }: Copied): string {
  return `${count(events, "event")} copied from ${safeLine(from)} to ${safeLine(to)}; both give the same state`;
}

export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
