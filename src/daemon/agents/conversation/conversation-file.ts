/** Finds the file that keeps an agent's conversation when no report named it. */
import fs from "node:fs/promises";
import path from "node:path";
import type { AgentClient, Keeping, KeepingPlace } from "../../../agents/client.ts";
import { beginningOf } from "./file-parts.ts";

const MOST_FOLDERS = 2000;
const MOST_PROCESSES = 500;
const REGISTRY_BYTES = 64 * 1024;
/** An id that somebody else wrote becomes part of a path only if it looks like this. */
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** Null while there is no file: the client creates it with the first prompt. */
export async function conversationFile(
  client: AgentClient,
  place: KeepingPlace,
  conversation: string,
): Promise<string | null> {
  if (!ID.test(conversation)) return null;
  const real = await fs.realpath(place.cwd).catch(() => place.cwd);
  const keepings = [...new Set([real, place.cwd])].flatMap(
    (cwd) => client.keeps({ ...place, cwd }, conversation) ?? [],
  );
  for (const { file } of keepings) if (await isFile(file)) return file;
  const [first] = keepings;
  return first?.among ? elsewhere(first, first.among) : null;
}

/** The file is in a folder with a different name than we expected. */
async function elsewhere({ file }: Keeping, among: string): Promise<string | null> {
  const names = await fs.readdir(among).catch(() => []);
  for (const name of names.slice(0, MOST_FOLDERS)) {
    const found = path.join(among, name, path.basename(file));
    if (await isFile(found)) return found;
  }
  return null;
}

/**
 * The path of the client's own note about which conversation a process has. With a launcher, the client is a child
 * process, so its pid differs from the terminal's.
 */
export async function registryFile(
  client: AgentClient,
  folder: string,
  pid: number | null,
  conversation: string,
): Promise<string | null> {
  const own = pid === null ? null : path.join(folder, `${pid}.json`);
  if (own !== null && (await conversationIn(client, own)) !== null) return own;
  const names = await fs.readdir(folder).catch(() => []);
  for (const name of names.filter((it) => /^\d+\.json$/.test(it)).slice(0, MOST_PROCESSES)) {
    const file = path.join(folder, name);
    if ((await conversationIn(client, file)) === conversation) return file;
  }
  return null;
}

export async function conversationIn(client: AgentClient, registry: string): Promise<string | null> {
  const conversation = client.registered(await beginningOf(registry, REGISTRY_BYTES));
  return conversation !== null && ID.test(conversation) ? conversation : null;
}

function isFile(file: string): Promise<boolean> {
  return fs.stat(file).then(
    (it) => it.isFile(),
    () => false,
  );
}
