/** Calls of Telegram's Bot API. The token is a part of every address, so no address gets into an error. */
import { neverArrived } from "../../../core/failure/never-arrived.ts";
import { mendText } from "../../../core/text/safe-text.ts";

export interface TelegramApi {
  /** Rejects with a `TelegramFailure`. */
  call(method: string, params: object, how?: { patienceMs?: number; abort?: AbortSignal }): Promise<unknown>;
}

export class TelegramFailure extends Error {
  /** As HTTP counts: 401, 409, 429 …; null: there was no answer. */
  readonly code: number | null;
  readonly retryAfterMs: number | null;
  /** It may have been carried out all the same. */
  readonly isUnsure: boolean;

  constructor(
    message: string,
    code: number | null,
    retryAfterMs: number | null = null,
    isUnsure = code !== null && code >= 500,
  ) {
    super(message);
    this.name = "TelegramFailure";
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.isUnsure = isUnsure;
  }
}

const PATIENCE_MS = 15_000;
const MOST_WORDS = 300;

/** `token` is read for every call, so that a new one counts at once. */
export function telegramApi(input: { apiUrl: string; token(): Promise<string> }): TelegramApi {
  const base = input.apiUrl.replace(/\/+$/, "");
  return {
    async call(method, params, { patienceMs = PATIENCE_MS, abort } = {}) {
      const token = (await input.token()).trim();
      const limit = AbortSignal.timeout(patienceMs);
      let status: number;
      let answer: Answer;
      try {
        const response = await fetch(`${base}/bot${token}/${method}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(params),
          redirect: "error",
          signal: abort ? AbortSignal.any([abort, limit]) : limit,
        });
        status = response.status;
        answer = ((await response.json().catch(() => null)) ?? {}) as Answer;
      } catch (error) {
        const words = `Telegram can't be reached: ${causeOf(error as Error)}`;
        throw new TelegramFailure(words, null, null, !neverArrived(error));
      }
      if (answer.ok === true) return answer.result;
      throw failureOf(status, answer);
    },
  };
}

interface Answer {
  ok?: unknown;
  result?: unknown;
  error_code?: unknown;
  description?: unknown;
  parameters?: { retry_after?: unknown };
}

function failureOf(status: number, { error_code, description, parameters }: Answer): TelegramFailure {
  const code = typeof error_code === "number" ? error_code : status;
  const words =
    typeof description === "string" ? mendText(description).slice(0, MOST_WORDS) : "no reason given";
  const wait = parameters?.retry_after;
  const retryAfterMs = typeof wait === "number" && wait >= 0 ? Math.min(wait, 86_400) * 1000 : null;
  const what = code === 401 ? "Telegram refuses the bot's token (revoked?)" : `Telegram answered ${code}`;
  return new TelegramFailure(`${what}: ${words}`, code, retryAfterMs);
}

function causeOf({ name, message, cause }: Error & { cause?: unknown }): string {
  if (name === "TimeoutError") return "no answer in time";
  const { code } = (cause ?? {}) as { code?: string };
  return code ?? (cause === undefined ? message : "the connection failed");
}
