/** What the specs read of the JSON that `oj` prints: the contract of CLI.md, written down independently of the source. */

export interface Step {
  name: string;
  status: string;
  error: string | null;
}

export interface Job {
  id: string;
  name: string;
  status: string;
  step: string | null;
  steps: Step[];
  pending_decision: string | null;
  error: string | null;
  reason: string | null;
}

export interface Refusal {
  error: { code: string; message: string; hint: string | null };
}
