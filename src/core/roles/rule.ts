/** Who may answer a decision and how many it takes, as a block of a runbook says it. */
export interface RuleDef {
  /** People and groups; nobody else may answer. */
  readonly approvers?: readonly string[];
  /** How many people have to say yes; the first no decides. */
  readonly min?: number;
  /** Whether whoever started the work may answer. Absent: yes, except with what is written as not reversible. */
  readonly self?: "deny" | "allow";
  /** How fresh the proof must be that it is them: "passkey 5m". */
  readonly fresh?: string;
}

/** The rule of one decision. Groups have become their people, as they were when it was asked. */
export type Rule = RuleDef;
