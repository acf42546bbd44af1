/** What ids look like. Where the randomness comes from is up to the caller. */
import type { Clients } from "./clients.ts";

export type DecisionId = `dec-${string}`;
export type JobId = `job-${string}`;
export type AgentId = `agt-${string}`;
export type CrewId = `crew-${string}`;
/** Who an agent works for. */
export type OwnerId = JobId | CrewId;
/** A machine of several that share one log. It keeps the name under which it first joined. */
export type MachineName = string;
/** One run of one step's shell; it names the process, its output and its run file. */
export type RunId = `run-${string}`;

export type Kind = "dec" | "job" | "agt" | "crew" | "run" | "dlv" | "msg";
export type Id<K extends Kind = Kind> = `${K}-${string}`;

/**
 * When a rule runs, where its new ids come from, and what is known about
 * agent clients. All of it arrives with the input, so that a rule stays pure.
 */
export interface Moment {
  at_ms: number;
  id<K extends Kind>(kind: K): Id<K>;
  clients: Clients;
}

/** Lower case, without the letters and digits that people mistake for one another (0 o, 1 i l, u v). */
const ID_ALPHABET = "23456789abcdefghjkmnpqrstwxyz";
const ID_LENGTH = 10;

/**
 * Whether this could be an id of that kind, or the beginning of
 * one. Other programs' ids look different, or are taken for ours.
 */
export function isIdText(text: string, kind: Kind): boolean {
  return new RegExp(`^${kind}-[${ID_ALPHABET}]{1,${ID_LENGTH}}$`).test(text);
}

/**
 * Turns random bytes into an id. 232 is the largest multiple of 29
 * in a byte: larger bytes are skipped, so no letter is favoured.
 */
export function idFrom<K extends Kind>(kind: K, bytes: Iterable<number>): Id<K> {
  let text = "";
  for (const byte of bytes) {
    if (byte >= 232) continue;
    text += ID_ALPHABET[byte % ID_ALPHABET.length];
    if (text.length === ID_LENGTH) return `${kind}-${text}`;
  }
  throw new Error("not enough random bytes for an id");
}
