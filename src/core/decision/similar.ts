/** Which decisions are alike, so that they can be looked at and answered together. */
import type { Decision } from "../model/decision-types.ts";

export type Shape = Pick<Decision, "project" | "source" | "action" | "questions" | "template"> & {
  options: readonly { key: string }[];
};

/**
 * Decisions are alike if they have the same project, source, tool and template, the same questions, and options that
 * mean the same.
 */
export function groupOf({ project, source, action, questions, template, options }: Shape): string {
  const asked = questions.map((it) => `${it.question}${it.multi_select ? "*" : ""}`);
  return JSON.stringify([
    project,
    source,
    action?.tool ?? null,
    template,
    asked,
    options.map((it) => it.key),
  ]);
}
