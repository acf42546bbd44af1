/** What a person was shown before they answered; nothing of it changes afterwards. */
import type { Decision } from "../model/decision-types.ts";
import { canonical, sha256 } from "../text/hash.ts";

export function cardSha256({ title, context, fields, questions, action, options, rule }: Decision): string {
  const shown = options.map(({ key, label, description, recommended }, n) => ({
    number: n + 1,
    key,
    label,
    description,
    recommended,
  }));
  const card = { title, context, fields, questions, action, options: shown };
  return sha256(canonical(rule ? { ...card, rule } : card));
}
