/** Values of a tool's input, each under a name that people use. */
import type { Block } from "./card.ts";
import { nameOf } from "./field-names.ts";

/** A key that is no plain name may say anything: it is part of the text then, under a label of ours. */
export function valueBlocks(input: Readonly<Record<string, unknown>>): Block[] {
  return Object.entries(input).map(([key, it]) => {
    const name = nameOf(key);
    return name === null ? valueBlock("a value", { [key]: it }) : valueBlock(name, it);
  });
}

export function valueBlock(label: string, value: unknown): Block {
  return typeof value === "string"
    ? { type: "code", label, language: "text", text: value }
    : { type: "code", label, language: "json", text: jsonOf(value) };
}

/** On one line if it is short. */
const SHORT = 60;

function jsonOf(value: unknown): string {
  const spread = JSON.stringify(value, null, 2) ?? "undefined";
  const line = spread.replace(/\n\s*/g, " ");
  return line.length <= SHORT ? line : spread;
}
