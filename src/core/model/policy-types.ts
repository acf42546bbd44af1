/** Policies: rules that answer in a person's place. How they are read is in src/runbook, what they say in core/policy. */
import type { Source } from "./decision-types.ts";
import type { Fixed } from "./fixed.ts";
import type { Urgency } from "./runbook.ts";

/** In the order in which they count. */
export const POLICY_KINDS = ["deny", "ask", "approve", "answer"] as const;
export type PolicyKind = (typeof POLICY_KINDS)[number];

/** What a call of a tool must look like. An empty list says nothing about it. */
export type CallMatch = Fixed<{
  tool: string[];
  /** Patterns of words, any of which may fit. */
  command: string[];
  /** Patterns of the commands of one pipe, in their order. */
  pipe: string[];
  /** Relative to the workspace. */
  path: string[];
  within: boolean;
  outside: boolean;
}>;

/** What a question must look like, and the option that answers it. */
export type QuestionMatch = Fixed<{
  source: Source;
  question: string | null;
  said: string | null;
  title: string | null;
  option: string;
}>;

/** How often a policy may answer: so many times in that time, or so many times before a person answers something. */
export type AtMost = Fixed<{ times: number; per_ms: number | null; text: string }>;

export type Policy = Fixed<{
  name: string;
  /** Its block as written, and the hash of that. */
  text: string;
  hash: string;
  /** The file it is in, and the line. */
  path: string;
  line: number;
  message: string | null;
  urgency: Urgency | null;
  /** The name of an escalation of the same project. */
  escalation: string | null;
  at_most: AtMost | null;
  /** From then on it no longer answers. */
  expires_at_ms: number | null;
  /** As written: `2027-02-01`. */
  expires: string | null;
  /** It may approve what can't be undone. */
  irreversible: boolean;
}> &
  Fixed<{ kind: "deny" | "ask" | "approve"; match: CallMatch } | { kind: "answer"; match: QuestionMatch }>;

export type CallPolicy = Extract<Policy, { match: CallMatch }>;

/** What a project adds to the list of what can't be undone. It counts without being accepted. */
export type Irreversible = Fixed<{ name: string; match: CallMatch; path: string; line: number }>;
