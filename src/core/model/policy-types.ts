/** Policies: rules that answer in a person's place. How they are read is in src/runbook, what they say in core/policy. */
import type { Source } from "./decision-types.ts";
import type { Fixed } from "./fixed.ts";
import type { Urgency } from "./runbook.ts";

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
export type Irreversible = Fixed<{
  name: string;
  match: CallMatch;
  path: string;
  line: number;
  /** Its block as written. */
  text: string;
}>;

/** A rule that a person made while approving something: it counts for who asked that, and as long as that runs. */
export type Remembered = Fixed<{
  /** The job, the crew or the session. */
  owner: string;
  policy: Policy;
  by: string;
  at_ms: number;
}>;

/** What a person has said about the policies of a project, and how often each has answered. */
export type PolicyBook = Fixed<{
  project: string;
  /** The texts that were accepted, by file. */
  accepted: Record<string, { hash: string; text: string; by: string; at_ms: number }>;
  /** The names of those that are switched off. */
  off: string[];
  /** By file, what has been on the list of what can't be undone: only a person takes it off again. */
  listed?: Record<string, Irreversible[]>;
  /** Rules for one job, crew or session, which end with it. */
  remembered?: Remembered[];
  /** Suggestions that a person doesn't want to see again, by their keys. */
  unwanted?: string[];
  /** When each policy answered, the latest times; and how often since a person last answered something here. */
  used: Record<string, number[]>;
  in_a_row: Record<string, number>;
}>;

export type PolicyFact =
  | {
      type: "policy:accepted";
      id: string;
      project: string;
      /** The file, and all of its text: a policy in it counts only as long as it says exactly this. */
      file: string;
      text: string;
      hash: string;
      by: string;
      /** What of it can't be undone, from now on; absent in older records. */
      irreversible?: Irreversible[];
    }
  /** These blocks were found in the file: they stay on the list whatever becomes of it, until a person accepts that. */
  | { type: "policy:listed"; id: string; project: string; file: string; irreversible: Irreversible[] }
  | { type: "policy:remembered"; id: string; project: string; owner: string; policy: Policy; by: string }
  /** A person doesn't want this rule, nor to be asked about calls like these again. `text` is what they saw. */
  | { type: "policy:unwanted"; id: string; project: string; key: string; text: string; by: string }
  | { type: "policy:switched"; id: string; project: string; name: string; on: boolean; by: string };
