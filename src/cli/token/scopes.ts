/** Scopes as they are typed: "read,answer". */
import type { Scope } from "../../core/roles/people.ts";
import { SCOPES } from "../../core/roles/people.ts";
import { usage } from "../base/fail.ts";

export function scopesIn(text: string): Scope[] {
  const words = text.split(",").map((it) => it.trim());
  return words.map((word) => {
    const scope = SCOPES.find((it) => it === word);
    if (scope === undefined)
      throw usage(`"${word}" is not a scope: ${SCOPES.join(", ")}`, "--scope read,answer");
    return scope;
  });
}
