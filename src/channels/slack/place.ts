/** Where something happened in Slack, and how values from outside are read. */

/** A channel, and the message in it, if there is one that everybody sees. */
export interface Place {
  channel: string | null;
  ts: string | null;
  /** Where it can be answered without being a member of the channel. */
  response_url: string | null;
}

/** A place as it comes back with a modal. */
export function placeIn(value: unknown): Place {
  const { channel, ts, response_url } = object(value);
  return { channel: text(channel), ts: text(ts), response_url: text(response_url) };
}

export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= 1000 ? value : null;
}

export function object(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
