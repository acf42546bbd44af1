/** The person's own policies: one call is approved, one denied, one asked about, and the agents' plans wait for a person. */
import type { Decision } from "../../src/core/model/decision-types.ts";
import { readCall } from "../../src/core/policy/call.ts";
import type { PolicyFile } from "../../src/core/policy/files.ts";
import { underStandingPolicies } from "../../src/core/policy/ruling.ts";
import type { Policies } from "../../src/daemon/runbooks/policies.ts";
import { readPolicies } from "../../src/runbook/policies.ts";
import { FOLDER } from "./memory-files.ts";

const TEXT = `
policy "parts" {
  approve = { tool = "Bash", command = "npm run part-1" }
  at_most = "20/h"
}
policy "never" {
  deny    = { tool = "Bash", command = "npm run part-2" }
  message = "Not that part."
}
policy "stores" {
  answer = { source = "question", question = "Which store for *", option = "SQLite" }
  at_most = "20/h"
}`;

const path = `${FOLDER}/policy.hcl`;
const file: PolicyFile = { path, text: TEXT, personal: { since_ms: 0 }, ...readPolicies(path, TEXT) };
const home = FOLDER;

export const ownPolicies: Policies = {
  files: async () => [file],
  async look({ cwd, workspace }, call) {
    const real = new Map([[workspace, workspace]]);
    const place = { cwd, workspace, home, real };
    return {
      files: [file],
      call: call && { call: readCall(call, { cwd, home }), sha256: call.sha256 },
      place,
    };
  },
  review: (state, facts, moment) =>
    underStandingPolicies(
      state,
      facts,
      () => ({ files: [file], call: null, place: { cwd: "/", workspace: null, home, real: new Map() } }),
      moment,
    ),
};

/** What a policy may have said to this; null: nothing. */
export function policyFor({ source, action }: Pick<Decision, "source" | "action">): string | null {
  if (source === "question") return "stores";
  const { command } = (action?.input ?? {}) as { command?: string };
  if (source !== "approval") return null;
  return command === "npm run part-1" ? "parts" : command === "npm run part-2" ? "never" : null;
}
