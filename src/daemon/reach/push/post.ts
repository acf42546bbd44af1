/** Hands an encrypted message to a push service, and says in our words what the service answered. */
import { neverArrived } from "../../../core/failure/never-arrived.ts";
import { retryAfterMs } from "../../../core/reach/retry-after.ts";
import { mendText } from "../../../core/text/safe-text.ts";

export interface Post {
  endpoint: string;
  authorization: string;
  body: Buffer;
  /** How long the service keeps it for a browser that is not there. */
  ttl_s: number;
  urgency: "low" | "normal" | "high";
  /** A message that waits with the same topic is replaced. */
  topic: string;
}

export type Posted =
  | { type: "taken" }
  /** The browser has ended this subscription. */
  | { type: "gone" }
  /** The service won't take it, also next time. */
  | { type: "refused"; why: string }
  /** `isUnsure`: it may have been taken all the same. */
  | { type: "later"; why: string; retryAfterMs: number | null; isUnsure: boolean };

const PATIENCE_MS = 10_000;
/** What a service says of itself in an error is shown to people. */
const MOST_WORDS = 200;

export async function post(message: Post, now: () => number): Promise<Posted> {
  const { endpoint, authorization, body, ttl_s, urgency, topic } = message;
  let response: Response;
  try {
    response = await fetch(endpoint, {
      method: "POST",
      headers: {
        authorization,
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(ttl_s),
        urgency,
        topic,
      },
      body: new Uint8Array(body),
      redirect: "manual", // an address that is not the browser's own gets nothing
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    return {
      type: "later",
      why: `${hostOf(endpoint)} can't be reached: ${causeOf(error)}`,
      retryAfterMs: null,
      isUnsure: !neverArrived(error),
    };
  }
  const { status } = response;
  const words = await beginningOf(response).catch(() => "");
  if (status >= 200 && status < 300) return { type: "taken" };
  if (status === 404 || status === 410) return { type: "gone" };
  const why = `${hostOf(endpoint)} answered ${status}${words === "" ? "" : `: ${words}`}`;
  if (status === 429 || status >= 500)
    return { type: "later", why, retryAfterMs: waitIn(response, now()), isUnsure: status >= 500 };
  return { type: "refused", why };
}

function waitIn({ headers }: Response, now: number): number | null {
  return retryAfterMs(headers.get("retry-after"), now);
}

/** The part of an address that people may see. */
export function hostOf(endpoint: string): string {
  return new URL(endpoint).host;
}

/** The first words of a response, however long it is. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length >= MOST_WORDS) break; // which also closes the connection
  }
  return mendText(text.slice(0, MOST_WORDS)).replace(/\s+/g, " ").trim();
}

function causeOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return name === "TimeoutError" ? "no answer in time" : (cause?.code ?? cause?.message ?? message);
}
