/** What a call brings with it: no more than allowed, and UTF-8. */
import { isUtf8 } from "node:buffer";
import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { Refusal } from "../core/errors.ts";

export function checkBodies(app: Pick<Hono, "use">, limitKb: number): void {
  const maxSize = limitKb * 1024;
  const limited = bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal(
        "request.too-large",
        `the body is larger than ${limitKb} KB`,
        "say it shorter, or raise limits.body_kb",
      );
    },
  });

  // It makes a web request with a stream of each, which costs more than most calls. Node holds a body to the length it says.
  app.use((context, next) => (saidLength(context) <= maxSize ? next() : limited(context, next)));

  app.use(async (context, next) => {
    if (hasBody(context)) {
      const bytes = Buffer.from(await context.req.arrayBuffer());
      if (!isUtf8(bytes)) throw new Refusal("request.invalid", "the body is not UTF-8", "see /openapi.json");
      Object.assign(context.req.bodyCache, { text: Promise.resolve(bytes.toString("utf8")) });
    }
    await next();
  });
}

export function hasBody({ req }: Context): boolean {
  return req.method !== "GET" && req.method !== "DELETE";
}

/** How long the call says its body is; infinite when it does not say. */
function saidLength(context: Context): number {
  const { req } = context;
  const said = req.header("transfer-encoding") === undefined ? req.header("content-length") : undefined;
  if (said !== undefined) return Number(said);
  return hasBody(context) ? Number.POSITIVE_INFINITY : 0;
}
