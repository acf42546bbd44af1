/** The port `readSource` in memory: the files are those that a test has put there. Passes the contract of reading sources. */
import path from "node:path";
import type { ReadSource } from "../../src/ports.ts";

export interface FakeReadSource extends ReadSource {
  /** Absolute path → text. */
  sources: Map<string, string>;
}

export function fakeReadSource(): FakeReadSource {
  const sources = new Map<string, string>();
  const read: ReadSource = async (given, { cwd, roots }) => {
    const file = path.resolve(cwd, given);
    if (!roots.some((it) => file === it || file.startsWith(it.endsWith("/") ? it : `${it}/`)))
      return { unread: "the file is outside the agent's folder" };
    const text = sources.get(file) ?? null;
    return text?.includes("\0") ? { unread: "the file is not text" } : { text };
  };
  return Object.assign(read, { sources });
}
