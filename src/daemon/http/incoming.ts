/**
 * Reads the bodies of requests, up to a limit. A caller that sends more is refused at once, but we keep reading for a
 * while: otherwise it would never get to read the refusal.
 */
import type { IncomingMessage } from "node:http";
import type { Refusal } from "../../core/model/errors.ts";

/**
 * How much and how long we keep reading from a caller that was refused, and from how many at once. Others are cut off.
 */
const HEAR_OUT = { bytes: 64 * 1024 * 1024, ms: 5000, atOnce: 16 };

/** The whole body, or the refusal as soon as we know that it is too large. Anything sent after that is discarded. */
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
 * Reads and discards, until everything has arrived or we have read enough. Closing a connection with unread data resets
 * it, and the response on its way is lost. So this runs between the response and its end.
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
