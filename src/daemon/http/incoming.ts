/** The bodies of requests, up to a limit. Who sends more is told at once, and heard out for a while: else it never gets to read that. */
import type { IncomingMessage } from "node:http";
import type { Refusal } from "../../core/model/errors.ts";

/** How much and how long we listen to who was refused already, and to how many of them at once. The others are cut off. */
const HEAR_OUT = { bytes: 64 * 1024 * 1024, ms: 5000, atOnce: 16 };

/** All of it, or the refusal as soon as it is known to be too large. What is sent after that is not kept. */
export function bodyOf(request: IncomingMessage, maxBytes: number, tooLarge: () => Refusal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const add = (part: Buffer) => {
      size += part.length;
      if (size <= maxBytes) parts.push(part);
      else refuse();
    };
    const refuse = () => {
      request.off("data", add).pause();
      parts.length = 0;
      reject(tooLarge());
    };
    request.once("error", reject);
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return refuse();
    request.on("data", add);
    request.once("end", () => resolve(Buffer.concat(parts)));
  });
}

let heard = 0;

/**
 * Reads on and throws away, until all has come or we have heard enough. A connection that is closed with something unread is
 * reset, and the response that was under way is lost: so this comes between the response and its end.
 */
export async function hearOut(request: IncomingMessage, { bytes, ms, atOnce } = HEAR_OUT): Promise<void> {
  if (request.complete || request.destroyed || heard >= atOnce) return;
  heard += 1;
  let late: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    let left = bytes;
    late = setTimeout(resolve, ms);
    request.on("data", (part: Buffer) => {
      left -= part.length;
      if (left < 0) resolve();
    });
    for (const event of ["end", "error", "close"]) request.once(event, () => resolve());
    request.resume();
  });
  clearTimeout(late);
  heard -= 1;
}
