/** Paths that a program names, held to the workspace: whatever they are called, and wherever links lead. */
import fs from "node:fs";
import path from "node:path";
import { INVALID_PARAMS, RpcError } from "./wire/rpc.ts";

/** The real path, which may not exist yet. Refuses what is, or leads, outside. */
export function within(root: string, given: unknown): string {
  if (typeof given !== "string" || !path.isAbsolute(given) || given.includes("\0"))
    throw new RpcError(INVALID_PARAMS, "a path must be absolute");
  const real = realOf(path.normalize(given));
  const home = fs.realpathSync(root);
  if (real !== home && !real.startsWith(`${home}${path.sep}`))
    throw new RpcError(INVALID_PARAMS, `${given} is outside the workspace ${home}`);
  return real;
}

/** Follows links as far as there is something; a link to nothing leads nowhere we could check. */
function realOf(file: string): string {
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() && !fs.existsSync(file))
    throw new RpcError(INVALID_PARAMS, `${file} is a link to nothing`);
  if (there) return fs.realpathSync(file);
  const parent = path.dirname(file);
  return parent === file ? file : path.join(realOf(parent), path.basename(file));
}
