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
  /** It approves, and remembers the rule with this hash for who asked. */
  rule?: string;
}

const PURPOSE = "link";
const CLAIM = "claim";

const RULE = "rule";

export function tokenOf({ decision, person, via, option, isClaim, rule }: Link, key: Key): string {
  const more = isClaim ? [CLAIM] : rule === undefined ? [] : [RULE, rule];
  const bound = [decision, person, via, option, ...more];
  const body = Buffer.from(JSON.stringify(bound)).toString("base64url");
  return `${body}.${key.sign(PURPOSE, body)}`;
}

/** Null unless this daemon, or one before it, made exactly this token. */
export function linkIn(token: string, key: Key): Link | null {
  const [body = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !key.isSigned(signature, PURPOSE, body)) return null;
  const [decision, person, via, option, what, hash] = JSON.parse(
    Buffer.from(body, "base64url").toString("utf8"),
  ) as [string, string, Via, string | null, typeof CLAIM | typeof RULE | undefined, string | undefined];
  if (!VIAS.includes(via)) return null;
  const link = { decision, person, via, option };
  if (what === RULE) return hash === undefined ? null : { ...link, rule: hash };
  return what === CLAIM ? { ...link, isClaim: true } : link;
}
