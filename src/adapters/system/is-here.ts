/** Whether a server runs on this machine: nobody listens in between, and its certificate is usually nobody's. */
export function isHere(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
