/** Requests for tests of the rules: made, refused and answered. */

import { resolveDecision } from "../../src/core/decision/give.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import type { Refusal } from "../../src/core/model/errors.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import type { Template } from "../../src/core/model/runbook.ts";
import { findDecision } from "../../src/core/model/state/find.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import type { RequestInput } from "../../src/core/request/types.ts";
import { BUILTIN_TEMPLATES } from "../../src/core/template/builtin-templates.ts";
import type { World } from "./core.ts";
import { requestInput } from "./core.ts";

const REVIEW: Template = {
  path: "x.hcl",
  line: 1,
  name: "review",
  prompt_hint: "Say what is to be looked at",
  required_context: [{ key: "files", min: 2 }, { key: "why" }],
  urgency: "low",
  options: [
    { key: "ok", label: "Looks good", recommended: true },
    { key: "adjust", successor: "checkpoint" },
  ],
};
export const runbook = { templates: [REVIEW, ...BUILTIN_TEMPLATES], requests: { file_check: {} } };
export const context = { fields: { files: ["a", "b"], why: "risky" } };

export function asked(it: World, more: Partial<RequestInput> = {}): Decision {
  const [created] = it.play((state, moment) =>
    requestDecision(state, requestInput({ runbook, ...more }), moment),
  );
  return findDecision(it.state, (created as { id: DecisionId }).id);
}

export function refused(it: World, more: Partial<RequestInput>): Refusal {
  try {
    asked(it, more);
  } catch (error) {
    return error as Refusal;
  }
  throw new Error("it was not refused");
}

export function answer(it: World, id: string, choice: number, message: string | null = null): void {
  it.play((state, moment) =>
    resolveDecision(state, { id, choices: [[choice]], text: null, message, by: "ana", via: "cli" }, moment),
  );
}

export const option = (label: string, description: string | null = null) => ({ label, description });
