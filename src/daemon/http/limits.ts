/** How long a client may pause between two requests: if it sends just as we close, it can't know whether that counted. */
const PAUSES_FOR_MS = 300_000;

/**
 * How long a request may take to arrive, for all our servers. This says nothing about the response: a caller that has
 * sent a complete request may wait for days. An incomplete request gets a 408 and is closed, so that it isn't kept
 * forever.
 */
export function httpLimits(arriveMs = 30_000): {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
  keepAliveTimeout: number;
} {
  return {
    headersTimeout: arriveMs / 3,
    requestTimeout: arriveMs,
    connectionsCheckingInterval: arriveMs / 6,
    keepAliveTimeout: PAUSES_FOR_MS,
  };
}
