/** Refusals as they travel. Everything else that is thrown is a bug: it is logged whole and told in one sentence. */
import type { Context } from "hono";
import type { ErrorBody } from "../api.ts";
import { REFUSALS, Refusal } from "../core/errors.ts";
import type { Journal } from "./ports.ts";

export function errorBody(refusal: Refusal): ErrorBody {
  const { code, message, hint, details } = refusal;
  return { error: { code, message, hint, ...(details ? { details } : {}) } };
}

export function refusalResponse(error: unknown, context: Context, journal: Journal): Response {
  const refusal = error instanceof Refusal ? error : bug(error, context, journal);
  return context.json(errorBody(refusal), REFUSALS[refusal.code].http as 400);
}

function bug(error: unknown, context: Context, journal: Journal): Refusal {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  journal.error("a request failed", {
    method: context.req.method,
    path: context.req.path,
    error: message,
    stack,
  });
  return new Refusal("daemon.failed", `the daemon failed at this: ${message}`, "oj daemon logs");
}
