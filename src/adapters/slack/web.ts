/** Slack's Web API through its own library, which tries everything once: when to try again is decided elsewhere. */
import type { Logger } from "@slack/web-api";
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from "@slack/web-api";
import { SlackFailure } from "../../channel-ports.ts";
import { neverArrived } from "../../core/failure/never-arrived.ts";

/** Longer than Slack ever takes; the effect may have happened all the same. */
const TIMEOUT_MS = 10_000;

/** The daemon has a journal of its own, and what the library would say may hold a token. */
const nothing = () => {};
const silent = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => "error",
  setName: nothing,
} as unknown as Logger;

export type Call = (method: string, token: string, args: object) => Promise<Record<string, unknown>>;

export function webApi(apiUrl: string): Call {
  const client = new WebClient(undefined, {
    slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    logger: silent,
  });
  return async (method, token, args) => {
    try {
      return { ...(await client.apiCall(method, { ...args, token })) };
    } catch (error) {
      throw failureOf(error);
    }
  };
}

/** A response URL takes no token: whoever has it may answer once a few times. */
export async function postTo(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    throw new SlackFailure("no_response", error.message);
  });
  await response.body?.cancel();
  if (!response.ok) throw new SlackFailure("no_response", `Slack answered ${response.status}`);
}

function failureOf(error: unknown): SlackFailure {
  if (error instanceof WebAPIPlatformError) {
    const messages = error.data.response_metadata?.messages ?? [];
    return new SlackFailure(error.data.error, [error.data.error, ...messages].join(": "));
  }
  if (error instanceof WebAPIRateLimitedError)
    return new SlackFailure("ratelimited", "Slack asks for a pause", error.retryAfter * 1000);
  if (error instanceof WebAPIHTTPError)
    return new SlackFailure("no_response", `Slack answered ${error.statusCode}`);
  const original = error instanceof WebAPIRequestError ? error.original : error;
  return new SlackFailure(neverArrived(original) ? "no_connection" : "no_response", (error as Error).message);
}
