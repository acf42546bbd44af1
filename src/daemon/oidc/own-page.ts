/** Where a browser goes after a login: a place in our own page, which is all after the `#`, and never another address. */

const MAX_CHARS = 500;
/** `#/decision/…`, and the forms that `oj web ID` and `oj passkey add` write. A code that logs in is not among them. */
const OURS = /^#(?:\/(?!\/)[\w~!$'()*+,;=:@%./?&-]*|(?:decision|passkey)=[\w.~%-]+)$/;

/** "" is the inbox; anything that is not ours becomes that. */
export function ownPage(next: unknown): string {
  return typeof next === "string" && next.length <= MAX_CHARS && OURS.test(next) ? next : "";
}
