/** Mail addresses: ours with a name, and the one that a reply goes to, with a token in it. */

export interface Mailbox {
  name: string;
  address: string;
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

/** "Oddjobs <oj@example.com>" or "oj@example.com"; null if it is neither. */
export function parseMailbox(text: string): Mailbox | null {
  const [, quoted = "", bracketed] = /^\s*([^<>]*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  const address = (bracketed ?? text).trim();
  const name = quoted.replace(/^"(.*)"$/, "$1").trim();
  return ADDRESS.test(address) && !/[\r\n"]/.test(name) ? { name, address } : null;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/** The address that a reply goes to. */
export function replyAddress(template: string, token: string): string {
  return template.replace("{token}", token);
}

/** The token in an address that was made from the template; servers may have changed its case. */
export function tokenIn(template: string, address: string): string | null {
  const [before = "", after = ""] = template.toLowerCase().split("{token}");
  const text = address.trim().toLowerCase();
  if (!text.startsWith(before) || !text.endsWith(after)) return null;
  const token = text.slice(before.length, text.length - after.length);
  return TOKEN.test(token) ? token : null;
}

/** The decision's id without its kind, and a signature. */
export const TOKEN = /^[a-z0-9]{4,32}-[a-z2-7]{26}$/;
