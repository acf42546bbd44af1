/** As much of a text as a service takes, by the service's own measure: UTF-16 units, or bytes. */
import type { DecisionView } from "../../api/api.ts";
import type { Shown } from "./matter.ts";
import { shown } from "./matter.ts";

export type Measure = (text: string) => number;

export const units: Measure = (text) => text.length;
export const bytes: Measure = (text) => new TextEncoder().encode(text).length;

/** The text if it fits, else its beginning, how much is hidden, and the hash of the action. */
export function fitted(text: string, most: number, size: Measure, action: DecisionView["action"]): Shown {
  if (size(text) <= most) return { text, isWhole: true };
  let letters = Math.min(most, [...text].length - 1); // a character takes at least one of anything
  for (;;) {
    const part = shown(text, letters, action);
    const over = size(part.text) - most;
    if (over <= 0) return part;
    letters -= Math.max(1, Math.ceil(over / 4)); // and at most four
  }
}
