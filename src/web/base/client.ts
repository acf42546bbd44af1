/** The typed API calls from a browser: to the daemon that served this page, with the cookie it set. */
import type { ApiClient } from "../../api/api.ts";
import type { Call, Reply } from "../../client/calls.ts";
import { callsOf } from "../../client/calls.ts";
import { keyHeader } from "./session.ts";

/** `abort` ends whatever is running, streams above all. */
export function webClient(abort?: AbortSignal): ApiClient {
  return callsOf({ user: "", via: "web", send, ...(abort ? { abort } : {}) });
}

async function send({ method, path, headers, body, abort }: Call): Promise<Reply> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: { ...headers, ...keyHeader() },
    ...(body === undefined ? {} : { body }),
    ...(abort ? { signal: abort } : {}),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: partsOf(response),
  };
}

/** Uses a reader: not every browser can iterate over a stream. */
async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // the caller stopped reading and wants no more
  }
}
