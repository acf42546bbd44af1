/** Whether a call failed before anybody could take it: then nothing came of it. Otherwise nobody knows. */
export function neverArrived(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === "string" && NOBODY_THERE.includes(code)) return true;
  return cause !== undefined && cause !== error && neverArrived(cause);
}

const NOBODY_THERE = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "EDNS",
];
