/** Scopes as they are typed: "read,answer", or one after the other. */
import type { Scope } from "../../core/roles/people.ts";
import { SCOPES } from "../../core/roles/people.ts";
import { usage } from "../base/fail.ts";

export function scopesIn(texts: readonly string[]): Scope[] {
  const words = texts.flatMap((text) => text.split(",").map((it) => it.trim()));
  return [...new Set(words)].map((word) => {
    const scope = SCOPES.find((it) => it === word);
    if (scope === undefined)
      throw usage(`"${word}" is not a scope: ${SCOPES.join(", ")}`, "--scope read,answer");
    return scope;
  });
}
