/** The error that a turn of Codex ended with, as the conversation's file has it. */
import type { Json } from "../json-value.ts";
import { isObject, text } from "../json-value.ts";

const KINDS: Record<string, string> = {
  usage_limit_exceeded: "rate_limited",
  server_overloaded: "overloaded",
  internal_server_error: "overloaded",
  unauthorized: "unauthorized",
};

const STATUSES: Record<number, string> = {
  401: "unauthorized",
  402: "out_of_credits",
  403: "unauthorized",
  429: "rate_limited",
  500: "overloaded",
  502: "overloaded",
  503: "overloaded",
  529: "overloaded",
};

/** Null for a turn that ended well. */
export function errorOf(error: unknown): { kind: string; message: string } | null {
  if (!isObject(error)) return null;
  const message = text(error.message);
  return { kind: kindOf(error.codex_error_info, message), message };
}

/** The client has a word for some, and a status for others: `{ response_too_many_failed_attempts: { http_status_code } }`. */
function kindOf(info: unknown, message: string): string {
  if (typeof info === "string" && KINDS[info] !== undefined) return KINDS[info];
  const [detail] = isObject(info) ? Object.values(info) : [];
  const status = statusIn(isObject(detail) ? detail : {}) ?? statusIn({ http_status_code: said(message) });
  if (status !== null) return STATUSES[status] ?? "other";
  return /error sending request|connection (refused|reset)|dns error/i.test(message)
    ? "no_internet"
    : "other";
}

function statusIn({ http_status_code: it }: Json): number | null {
  return typeof it === "number" && Number.isInteger(it) ? it : null;
}

function said(message: string): number {
  return Number(/\bstatus:? (\d{3})\b/.exec(message)?.[1] ?? Number.NaN);
}
