/** Reads the secrets of channels: each from a file of its own that nobody else may read. */
import fs from "node:fs";
import path from "node:path";
import type { Config } from "../config.ts";
import { personalFile } from "../config.ts";

const MAX_BYTES = 65_536;

/** The text of the file without the line's end. The reasons name the file, never what is in it. */
export async function readSecret(named: string, config: Pick<Config, "env" | "home">): Promise<string> {
  const file = secretFile(named, config);
  const handle = await fs.promises
    .open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
    .catch((error) => {
      throw new Error(`${file} can't be read: ${(error as Error).message}`);
    });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(`${file} is not a file`);
    if (stat.uid !== process.getuid?.()) throw new Error(`${file} belongs to somebody else`);
    if ((stat.mode & 0o077) !== 0) throw new Error(`${file} can be read by others: chmod 600 ${file}`);
    if (stat.size > MAX_BYTES) throw new Error(`${file} is too long for a secret`);
    const text = (await handle.readFile("utf8")).trim();
    if (text === "") throw new Error(`${file} is empty`);
    return text;
  } finally {
    await handle.close();
  }
}

/** `~/` is the person's home; any other relative path begins at the config file. */
function secretFile(named: string, { env, home }: Pick<Config, "env" | "home">): string {
  if (named.startsWith("~/")) return path.join(home, named.slice(2));
  return path.resolve(path.dirname(personalFile(env, home)), named);
}
