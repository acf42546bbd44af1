/** A door in front of a server that passes everything on, and knows which calls are open. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Forwarder {
  url: string;
  /** The calls that have no whole answer yet, as "POST /path" with the token's last letters behind it. */
  open(): string[];
  /** Every call there was. */
  seen(): string[];
}

/** `change`: what the server would say if it were another version, part by part as it arrives. */
export async function forwarder(to: string, change?: (text: string) => string): Promise<Forwarder> {
  const open = new Set<{ name: string }>();
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    const token = (request.headers.authorization ?? "").slice(-6);
    const call = { name: `${request.method} ${request.url?.split("?")[0]} ${token}` };
    open.add(call);
    seen.push(call.name);
    response.once("close", () => open.delete(call));
    const there = new URL(request.url ?? "", to);
    const headers = { ...request.headers, host: there.host };
    const inner = http.request(there, { method: request.method ?? "GET", headers, agent: false });
    inner.on("response", (reply) => {
      const { "content-length": _, ...headers } = reply.headers;
      response.writeHead(reply.statusCode ?? 502, change ? headers : reply.headers);
      if (change)
        reply.on("data", (part) => response.write(change(String(part)))).on("end", () => response.end());
      else reply.pipe(response);
      reply.once("error", () => response.destroy());
    });
    inner.once("error", () => response.destroy());
    response.once("close", () => inner.destroy());
    request.pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    open: () => [...open].map((it) => it.name),
    seen: () => [...seen],
  };
}
