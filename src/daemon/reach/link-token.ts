/** The token in a link: what it is bound to, readable, and a signature that only this daemon can make. */
import type { Via } from "../../core/model/decision-types.ts";
import { VIAS } from "../../core/model/decision-types.ts";
import type { Key } from "../secrets/kept-key.ts";

export interface Link {
  decision: string;
  person: string;
  /** The channel that carries it: the answer came through that. */
  via: Via;
  /** An option's key; null: all of them are offered. */
  option: string | null;
  /** It says "I'm on it" and answers nothing. */
  isClaim?: true;
}

const PURPOSE = "link";
const CLAIM = "claim";

export function tokenOf({ decision, person, via, option, isClaim }: Link, key: Key): string {
  const bound = [decision, person, via, option, ...(isClaim ? [CLAIM] : [])];
  const body = Buffer.from(JSON.stringify(bound)).toString("base64url");
  return `${body}.${key.sign(PURPOSE, body)}`;
}

/** Null unless this daemon, or one before it, made exactly this token. */
export function linkIn(token: string, key: Key): Link | null {
  const [body = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !key.isSigned(signature, PURPOSE, body)) return null;
  const [decision, person, via, option, claim] = JSON.parse(
    Buffer.from(body, "base64url").toString("utf8"),
  ) as [string, string, Via, string | null, typeof CLAIM | undefined];
  if (!VIAS.includes(via)) return null;
  return { decision, person, via, option, ...(claim === CLAIM ? { isClaim: true } : {}) };
}
