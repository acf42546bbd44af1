/**
 * To a browser, `localhost` is 127.0.0.1 or [::1]. Another user of this machine who listens on the second would read
 * the codes in our links and pass for our page, so the same server has both. As long as it hasn't, no link of ours says
 * `localhost`.
 */
import type http from "node:http";
import net from "node:net";
import type { Journal } from "../../ports.ts";

export interface Localhost {
  /** Whether nobody else can answer there. Tries again if somebody could. */
  isOurs(): Promise<boolean>;
  close(): void;
}

/** Then there is no [::1] on this machine, for nobody. */
const NONE = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

export function holdLocalhost(
  server: Pick<http.Server, "emit" | "maxConnections">,
  port: number,
  journal: Journal,
): Localhost {
  let held: net.Server | null = null;
  let trying: Promise<boolean> | null = null;

  function take(): Promise<boolean> {
    const six = net.createServer((socket) => void server.emit("connection", socket));
    six.maxConnections = server.maxConnections;
    return new Promise((resolve) => {
      six.once("error", (error: NodeJS.ErrnoException) => {
        const isNone = NONE.has(error.code ?? "");
        if (!isNone) journal.warn("somebody else answers at [::1]", { port, error: error.message });
        resolve(isNone);
      });
      six.listen({ port, host: "::1", ipv6Only: true }, () => {
        held = six;
        resolve(true);
      });
    });
  }

  return {
    async isOurs() {
      if (held !== null) return true;
      trying ??= take().finally(() => {
        trying = null;
      });
      return trying;
    },
    close() {
      held?.close();
    },
  };
}
