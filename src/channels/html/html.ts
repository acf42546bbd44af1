/** HTML that can't be broken out of: whatever is put into the template is text, unless it was made here. */
import { safe } from "../../text/safe.ts";

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | readonly Html[];

/** Strings become text, with everything visible that a page would hide or reorder. Null is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(values[at - 1] ?? null) + part));
}

function textOf(value: Value): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map((it) => it.text).join("");
  return escaped(safe(String(value)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (it) => ENTITIES[it] ?? it);
}
