/** Text from outside on a card: behind a bar that it can't break out of. */

import { truncate, wrap } from "../../text/layout.ts";
import type { Style } from "../../text/style.ts";

export interface Fence {
  style: Style;
  width: number;
}

/** Rules that terminals draw are shortened; nothing is lost with them. */
export function fence(text: string, look: Fence): string[] {
  if (text.trim() === "") return [];
  const lines = text.split("\n").map((it) => (RULE.test(it) ? truncate(it.trimEnd(), look.width - 4) : it));
  return wrap(lines.join("\n"), look.width - 4).map((line) => `  ${look.style.dim("│")} ${line}`.trimEnd());
}

const RULE = /^\s*([─━═╌▔])\1*\s*$/;
