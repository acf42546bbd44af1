/** Which decisions are alike, so that they can be looked at and answered together. */
import type { Decision } from "../model/decision-types.ts";

export type Shape = Pick<Decision, "project" | "source" | "title" | "action" | "questions" | "template"> & {
  options: readonly { key: string; label: string }[];
};

/**
 * Decisions of a project are alike if they are about the identical action, or ask the identical question, and offer the
 * identical options. Nothing else about them needs to be compared before one answer goes to all.
 */
export function groupOf({ project, source, title, action, questions, template, options }: Shape): string {
  const about = action ? [action.tool, action.sha256] : [title];
  const offered = options.map((it) => [it.key, it.label]);
  return JSON.stringify([project, source, template, about, questions, offered]);
}
