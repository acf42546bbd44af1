/** A small world of decisions for random sessions: each line of an action has a token that no other action has. */
import type { DecisionView } from "../../src/api/api.ts";
import { sha256 } from "../../src/core/text/hash.ts";
import { decision } from "./fake-client.ts";

const SHORT = 2;
/** More than a screen, and more than is shown without a cut. */
const LENGTHS = [SHORT, SHORT, 5, 30, 260];

export interface Citizen {
  view: DecisionView;
  /** One for each line of its action. */
  tokens: readonly string[];
  /** Who has the same action is the same kind. */
  kind: number;
}

export function idOf(number: number): DecisionView["id"] {
  return `dec-${String(number).padStart(10, "0")}`;
}

/** `version` counts how often its text has changed. */
export function citizen(number: number, kind: number, version = 0): Citizen {
  const length = LENGTHS[kind % LENGTHS.length] ?? SHORT;
  const tokens = Array.from({ length }, (_, line) => `k${kind}v${version}l${line}.`);
  const command = tokens.map((it) => `echo ${it}`).join("\n");
  const view = decision({
    id: idOf(number),
    source: "approval",
    agent_id: "agt-7k3m9x2p4q",
    title: `Bash: ${tokens[0]}`,
    urgency: kind % 3 === 0 ? "high" : "medium",
    created_at_ms: number,
    owner: { kind: "job", id: `job-${String(number).padStart(10, "0")}`, name: `job${number}`, step: "work" },
    action: { tool: "Bash", input: { command }, sha256: sha256(command) },
    options: [
      { key: "approve", label: "Approve" },
      { key: "deny", label: "Deny", acts: false },
    ],
  });
  return { view, tokens, kind };
}
