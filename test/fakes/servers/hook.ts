/** A server that webhooks go to: it keeps what it got, and answers as a test wants. */
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface HookServer {
  url: string;
  got: { headers: Record<string, string>; body: string }[];
  /** What the next requests are answered with, in turn; 204 after that. */
  answers: (number | { status: number; headers: Record<string, string> })[];
  close(): Promise<void>;
}

export async function hookServer(): Promise<HookServer> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      hook.got.push({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(parts).toString("utf8"),
      });
      const answer = hook.answers.shift() ?? 204;
      const { status, headers } = typeof answer === "number" ? { status: answer, headers: {} } : answer;
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hook: HookServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got: [],
    answers: [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hook;
}
