/** What a call brings with it: no more than allowed, and UTF-8. */
import { isUtf8 } from "node:buffer";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { Refusal } from "../core/errors.ts";
import { bodyOf } from "./incoming.ts";

export function checkBodies(app: Pick<Hono, "use">, limitKb: number): void {
  const maxBytes = limitKb * 1024;
  const tooLarge = () =>
    new Refusal(
      "request.too-large",
      `the body is larger than ${limitKb} KB`,
      "say it shorter, or raise limits.body_kb",
    );

  app.use(async (context, next) => {
    if (hasBody(context)) {
      // As node reads it: a web request with a stream costs more than most calls. From within there is nothing to read.
      const { incoming } = context.env as Partial<HttpBindings>;
      const bytes = incoming
        ? await bodyOf(incoming, maxBytes, tooLarge)
        : Buffer.from(await context.req.arrayBuffer());
      if (bytes.length > maxBytes) throw tooLarge();
      if (!isUtf8(bytes)) throw new Refusal("request.invalid", "the body is not UTF-8", "see /openapi.json");
      Object.assign(context.req.bodyCache, { text: Promise.resolve(bytes.toString("utf8")) });
    }
    await next();
  });
}

export function hasBody({ req }: Context): boolean {
  return req.method !== "GET" && req.method !== "DELETE";
}
