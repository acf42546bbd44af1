/** `fs/read_text_file` and `fs/write_text_file`: text files of the workspace, and nothing else. */
import fs from "node:fs";
import path from "node:path";
import type { Params } from "./wire/rpc.ts";
import { INVALID_PARAMS, RpcError } from "./wire/rpc.ts";
import { within } from "./workspace.ts";

const MAX_BYTES = 10_000_000;
const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** `missing`: what a file that does not exist contains; null: that is an error. */
export function readTextFile(
  root: string,
  params: Params,
  missing: string | null = null,
): { content: string } {
  const file = within(root, params.path);
  if (missing !== null && !fs.existsSync(file)) return { content: missing };
  // no link may have come between; a pipe must not keep us waiting
  const fd = openFile(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new RpcError(INVALID_PARAMS, `${file} is not a file`);
    if (stat.size > MAX_BYTES) throw new RpcError(INVALID_PARAMS, `${file} has more than ${MAX_BYTES} bytes`);
    return { content: linesOf(fs.readFileSync(fd, "utf8"), params) };
  } finally {
    fs.closeSync(fd);
  }
}

export function writeTextFile(root: string, params: Params): null {
  const file = within(root, params.path);
  const { content } = params;
  if (typeof content !== "string") throw new RpcError(INVALID_PARAMS, "content must be a text");
  if (Buffer.byteLength(content) > MAX_BYTES)
    throw new RpcError(INVALID_PARAMS, `the content has more than ${MAX_BYTES} bytes`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const there = fs.statSync(file, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw new RpcError(INVALID_PARAMS, `${file} is not a file`);
  const fd = openFile(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK);
  try {
    fs.writeFileSync(fd, content);
  } finally {
    fs.closeSync(fd);
  }
  return null;
}

function openFile(file: string, flags: number): number {
  try {
    return fs.openSync(file, flags, 0o644);
  } catch (error) {
    throw new RpcError(INVALID_PARAMS, `${file} can't be opened: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** `line` counts from 1. */
function linesOf(content: string, { line, limit }: Params): string {
  if (typeof line !== "number" && typeof limit !== "number") return content;
  const from = typeof line === "number" ? Math.max(0, Math.floor(line) - 1) : 0;
  const to = typeof limit === "number" ? from + Math.max(0, Math.floor(limit)) : undefined;
  return content.split("\n").slice(from, to).join("\n");
}
