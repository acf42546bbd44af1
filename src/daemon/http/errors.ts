/**
 * Turns errors into responses. A refusal is sent as it is. Anything else that is thrown is a bug: it is logged in full
 * and sent as one sentence.
 */
import type { Context } from "hono";
import type { ErrorBody } from "../../api/api.ts";
import { REFUSALS, Refusal } from "../../core/model/errors.ts";
import type { Journal } from "../../ports.ts";
import { hearOut } from "./incoming.ts";
import type { Bindings } from "./wire/listener.ts";

export function errorBody(refusal: Refusal): ErrorBody {
  const { code, message, hint, details } = refusal;
  return { error: { code, message, hint, ...(details ? { details } : {}) } };
}

export function refusalResponse(
  error: unknown,
  context: Context,
  journal: Journal,
): Response | Promise<Response> {
  const refusal = error instanceof Refusal ? error : bug(error, context, journal);
  const { retry_s } = refusal.details ?? {};
  const headers = typeof retry_s === "number" ? { "retry-after": String(retry_s) } : {};
  const response = context.json(errorBody(refusal), REFUSALS[refusal.code].http as 400, headers);
  const { incoming } = context.env as Partial<Bindings>;
  return incoming && !incoming.complete ? hearingOut(response, incoming) : response;
}

/**
 * The same response, but it ends only when the caller has sent everything. With its length given, the caller has all of
 * it at once.
 */
async function hearingOut(response: Response, incoming: Bindings["incoming"]): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream({
    async start(stream) {
      stream.enqueue(bytes);
      await hearOut(incoming);
      stream.close();
    },
  });
  const headers = new Headers(response.headers);
  headers.set("content-length", String(bytes.length));
  headers.set("connection", "close");
  return new Response(body, { status: response.status, headers });
}

function bug(error: unknown, context: Context, journal: Journal): Refusal {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  journal.error("a request failed", {
    method: context.req.method,
    path: context.req.path,
    error: message,
    stack,
  });
  return new Refusal("daemon.failed", `the daemon failed to do this: ${message}`, "oj daemon logs");
}
