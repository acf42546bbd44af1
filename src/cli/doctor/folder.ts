/** The state folder: does it exist, is it ours alone, writable, and is there room? Can the socket's path be used? */
import fs from "node:fs";
import path from "node:path";
import type { Check } from "./check.ts";
import { ok, problem, warning } from "./check.ts";

/** What the system allows for the path of a unix socket. */
const LONGEST_SOCKET_PATH = 107;
const LITTLE_SPACE = 200e6;
const NO_SPACE = 20e6;

export function checkFolder(stateDir: string): Check[] {
  const name = "state folder";
  const elsewhere = "export OJ_STATE_DIR=~/oj-state (a folder of your own)";
  const stat = fs.statSync(stateDir, { throwIfNoEntry: false });
  if (stat && !stat.isDirectory()) return [problem(name, `${stateDir} is not a folder`, elsewhere)];
  const existing = stat ? stateDir : nearestFolder(stateDir);
  if (!isWritable(existing)) return [problem(name, `${existing} can't be written to`, elsewhere)];
  if (!stat) return [ok(name, `${stateDir} will be created when it is first needed`), checkSpace(existing)];
  const own = process.getuid?.();
  if (own !== undefined && stat.uid !== own)
    return [problem(name, `${stateDir} belongs to user ${stat.uid}, not to you`, elsewhere)];
  if ((stat.mode & 0o077) !== 0)
    return [
      warning(name, `${stateDir} is accessible to other users`, `chmod 700 ${stateDir}`),
      checkSpace(stateDir),
    ];
  return [ok(name, stateDir), checkSpace(stateDir)];
}

/** There are two sockets in the folder, and the agents' has the longer name. */
export function checkSocket(stateDir: string): Check {
  const socket = path.join(stateDir, "tmux.sock");
  const length = Buffer.byteLength(socket);
  if (length <= LONGEST_SOCKET_PATH) return ok("socket path", `${length} of ${LONGEST_SOCKET_PATH} bytes`);
  const detail = `${socket} has ${length} bytes; the system allows ${LONGEST_SOCKET_PATH}`;
  return problem("socket path", detail, "export OJ_STATE_DIR=~/.oj-state (any shorter path)");
}

function checkSpace(folder: string): Check {
  const name = "disk space";
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = bavail * bsize;
  const detail = `${free >= 1e9 ? `${(free / 1e9).toFixed(1)} GB` : `${Math.round(free / 1e6)} MB`} free`;
  if (free < NO_SPACE) return problem(name, detail, "free up space: nothing can be recorded on a full disk");
  return free < LITTLE_SPACE ? warning(name, detail, "free up space") : ok(name, detail);
}

function nearestFolder(folder: string): string {
  return fs.existsSync(folder) || folder === path.dirname(folder)
    ? folder
    : nearestFolder(path.dirname(folder));
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
