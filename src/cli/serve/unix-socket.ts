/** Listens on a unix socket whose file says who may open it. */
import fs from "node:fs";
import type http from "node:http";
import net from "node:net";
import { Refusal } from "../../core/model/errors.ts";
import { usage } from "../base/fail.ts";

/** Whoever can open it can say who they are: everybody on the machine would be too many. */
export function modeOf(text: string | undefined): number {
  if (text === undefined) return 0o600;
  const mode = /^0?[0-7]{3}$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
  if ((mode & 0o777) === mode && (mode & 0o600) === 0o600 && (mode & 0o007) === 0) return mode;
  throw usage(`--socket-mode takes 600 or 660, not "${text}": nobody but a group may be let in`, "660");
}

export async function listenAt(server: http.Server, file: string, mode: number): Promise<void> {
  await makeWay(file);
  const mask = process.umask(0o177); // not open to others, not even for a moment
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ path: file }, resolve);
    });
  } finally {
    process.umask(mask);
  }
  fs.chmodSync(file, mode);
}

/** Removes a socket that nobody listens on any more, and nothing else. */
async function makeWay(file: string): Promise<void> {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isSocket()) throw new Refusal("serve.refused", `${file} is there, and is no socket`, null);
  const isDead = await new Promise<boolean>((resolve) => {
    const probe = net.connect({ path: file });
    probe.once("connect", () => {
      probe.destroy();
      resolve(false);
    });
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
  });
  if (!isDead) throw new Refusal("serve.refused", `${file} is in use`, null);
  fs.rmSync(file, { force: true });
}
