/**
 * How long a request may take to arrive, for every server we have. It says nothing about the response: who has sent a whole request
 * may wait for days. What is sent by halves is answered with 408 and closed, so that it isn't kept for ever.
 */
export function httpLimits(arriveMs = 30_000): {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
} {
  return {
    headersTimeout: arriveMs / 3,
    requestTimeout: arriveMs,
    connectionsCheckingInterval: arriveMs / 6,
  };
}
