/** Checks what a call sends: not too large, UTF-8, and text that can be stored (`core/text/safe-text.ts`). */
import { isUtf8 } from "node:buffer";
import type { Context, Hono } from "hono";
import { Refusal } from "../../core/model/errors.ts";
import { mayBeUnsafe, mendJson, unsafeIn, unsafeWithin } from "../../core/text/safe-text.ts";
import { bodyOf } from "./incoming.ts";
import type { Bindings } from "./wire/listener.ts";

export function checkBodies(app: Pick<Hono, "use">, limitKb: number): void {
  const maxBytes = limitKb * 1024;
  const tooLarge = () =>
    new Refusal(
      "request.too-large",
      `the body is larger than ${limitKb} KB`,
      "shorten it, or raise limits.body_kb",
    );

  app.use(async (context, next) => {
    if (hasBody(context)) {
      // Read the node stream: a web request with a stream costs more than most calls. A call from inside the daemon has
      // none.
      const { incoming } = context.env as Partial<Bindings>;
      const bytes = incoming
        ? await bodyOf(incoming, maxBytes, tooLarge)
        : Buffer.from(await context.req.arrayBuffer());
      if (bytes.length > maxBytes) throw tooLarge();
      if (!isUtf8(bytes)) throw new Refusal("request.invalid", "the body is not UTF-8", "see /openapi.json");
      const text = safeBody(context, bytes.toString("utf8"));
      Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
    }
    refuseUnsafe(context);
    await next();
  });
}

/**
 * Unsafe text in a client's hook is repaired: the client passes on what it was given and can't say it another way.
 * Every other caller is refused.
 */
function safeBody({ req }: Context, text: string): string {
  if (!mayBeUnsafe(text)) return text;
  if (req.path.startsWith("/hooks/")) return mendJson(text);
  const found = unsafeWithin(parsed(text));
  if (found !== null) throw unsafe(`${found.path || "the body"} ${found.what}`);
  return text;
}

/** Checks the URL: the query, and the path with the ids in it. */
function refuseUnsafe({ req }: Context): void {
  if (!req.url.includes("%")) return;
  for (const [name, value] of new URL(req.url).searchParams) {
    const what = unsafeIn(name) ?? unsafeIn(value);
    if (what !== null) throw unsafe(`${JSON.stringify(name)} in the query ${what}`);
  }
  if (/%00/.test(req.path)) throw unsafe("the path contains a NUL character (U+0000)");
}

function unsafe(what: string): Refusal {
  return new Refusal("request.invalid", what, "leave it out, or write it another way");
}

/** Null if the text is not JSON: whoever reads the body reports that. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function hasBody({ req }: Context): boolean {
  return !["GET", "HEAD", "DELETE"].includes(req.method);
}
