/** Calls to a provider, which may be away, slow or lying: limited in time and size, and following no redirect. */
import type { Clock } from "../../ports.ts";
import { OidcProblem } from "./problem.ts";

/** For all that one visit of a browser takes, however many calls that are. */
const PATIENCE_MS = 10_000;
const MAX_BYTES = 512 * 1024;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export type InTime = <T>(work: (abort: AbortSignal) => Promise<T>) => Promise<T>;

/** Ends work when its time is up, whatever it waits for. */
export function patience(clock: Clock, host: string): InTime {
  return async (work) => {
    const control = new AbortController();
    let disarm = () => {};
    const late = new Promise<never>((_, reject) => {
      disarm = clock.after(PATIENCE_MS, () => {
        const seconds = PATIENCE_MS / 1000;
        const problem = new OidcProblem(
          `the provider at ${host} did not answer within ${seconds} s`,
          "later",
        );
        control.abort(problem);
        reject(problem);
      });
    });
    try {
      return await Promise.race([work(control.signal), late]);
    } finally {
      disarm();
    }
  };
}

export async function ask(
  url: string,
  abort: AbortSignal,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  const { host } = new URL(url);
  let response: Response;
  try {
    const headers = { accept: "application/json", ...(init.headers as Record<string, string>) };
    response = await fetch(url, { ...init, headers, redirect: "manual", signal: abort });
    const text = await textOf(response);
    if (response.status === 200) return objectIn(text, response.headers.get("content-type") ?? "");
  } catch (error) {
    if (abort.aborted) throw abort.reason;
    throw new OidcProblem(`the provider at ${host} can't be used: ${causeOf(error)}`, "later");
  }
  throw new OidcProblem(`the provider at ${host} answered with ${response.status}`, "later");
}

function objectIn(text: string, type: string): Record<string, unknown> {
  if (!JSON_TYPE.test(type)) throw new Error(`it sends ${type.slice(0, 60) || "something"} in place of JSON`);
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  throw new Error("it sends no object");
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error("it sends too much");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return (cause instanceof Error ? cause.message : message).slice(0, 200);
}
