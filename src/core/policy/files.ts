/** What policies are judged with: the files that have some, and what was looked up on disk. */
import type { Irreversible, Policy } from "../model/policy-types.ts";
import type { EscalationDef } from "../model/reach-types.ts";
import type { Call } from "./call.ts";
import type { Place } from "./paths.ts";

/** A file with policies, as it is on disk right now. */
export interface PolicyFile {
  path: string;
  text: string;
  /** The person's own file: it counts without being accepted, since its last change. */
  personal: { since_ms: number } | null;
  policies: readonly Policy[];
  irreversible: readonly Irreversible[];
  /** What an `ask` may name. */
  escalations: readonly EscalationDef[];
}

/** All that was read before the rule runs: the files, and what the call names on disk. */
export interface Look {
  files: readonly PolicyFile[];
  call: { call: Call; sha256: string } | null;
  place: Place;
  /** What a session that oj did not start said last. */
  said?: string;
}
