/** The line of `authorized_keys` that lets the holder of a key in as one person, with `oj` and nothing else. */
import { usage } from "../base/fail.ts";

const KEY =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) ([A-Za-z0-9+/]{20,8000}={0,2})(?: ([^\r\n]*))?$/;

/** One public key, as `ssh-keygen` writes it: type, key, comment. */
export function publicKeyIn(text: string): string {
  if (/PRIVATE KEY/.test(text))
    throw usage("this is a private key: never give it to anybody", "the public one ends in .pub");
  const lines = text.split(/\r?\n/).filter((it) => it.trim() !== "" && !it.startsWith("#"));
  const [line = ""] = lines;
  if (lines.length > 1) throw usage("give one public key at a time", "oj ssh --as NAME --key id_ed25519.pub");
  const [, type = "", key = "", comment = ""] = KEY.exec(line.trim()) ?? [];
  if (type === "" || !isOfType(key, type))
    throw usage("this is no public key of ssh", "oj ssh --as NAME --key id_ed25519.pub");
  return [type, key, comment.replace(/[^\w@.+-]/g, "_").slice(0, 100)].filter((it) => it !== "").join(" ");
}

/** The key itself begins with its type: its length in four bytes, and its letters. */
function isOfType(key: string, type: string): boolean {
  const bytes = Buffer.from(key, "base64");
  return bytes.length > 4 && bytes.readUInt32BE(0) === type.length && bytes.includes(type, 4);
}

/** `words`: the command that sshd runs by the user's shell, whatever the caller asks for. */
export function authorizedLine(words: readonly string[], key: string): string {
  const command = words.map(quoted).join(" ");
  if (/["\\\r\n]/.test(command))
    throw usage("the path of oj, or of its state folder, has quotes in it: sshd can't be told", null);
  return `restrict,command="${command}" ${key}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
