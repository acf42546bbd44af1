/** An ntfy server for tests: topics, sequences that replace each other, and the limits of the real one (2.16). */
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface NtfyServer {
  url: string;
  /** If set, who has no such token is refused. */
  token: string | null;
  /** Before 2.16 there were no sequences, so nothing can be cleared. */
  isOld: boolean;
  /** Everything that was published, in order. */
  published: Published[];
  /** What a phone shows of a topic: the last message of each sequence that was not cleared. */
  shown(topic: string): Published[];
  /** The next requests are answered so. */
  fails: { status: number; headers?: Record<string, string> }[];
  /** Does what the app does when a button is tapped; returns the status of the response. */
  tap(message: Published, label: string): Promise<number>;
  close(): Promise<void>;
}

export interface Published {
  topic: string;
  sequence_id: string;
  title: string;
  message: string;
  priority: number;
  click: string;
  actions: { action: string; label: string; url: string; method?: string }[];
}

export async function ntfyServer(): Promise<NtfyServer> {
  const cleared = new Set<string>();
  const server = http.createServer(async (request, response) => {
    const body = await bodyOf(request);
    const [status, headers] = answerTo(request, body);
    response.writeHead(status, headers).end("{}");
  });

  function answerTo(request: http.IncomingMessage, body: string): [number, Record<string, string>?] {
    const { method, url = "", headers } = request;
    if (url === "/v1/health") return [200];
    const fails = ntfy.fails.shift();
    if (fails) return [fails.status, fails.headers ?? {}];
    if (ntfy.token !== null && headers.authorization !== `Bearer ${ntfy.token}`) return [401];
    if (method === "POST" && url === "/") return [publish(JSON.parse(body))];
    const [, topic, sequence] = /^\/([-\w]{1,64})\/([-\w]{1,64})\/clear$/.exec(url) ?? [];
    if (method !== "PUT" || topic === undefined || ntfy.isOld) return [404];
    cleared.add(`${topic} ${sequence}`);
    return [200];
  }

  function publish(it: Published): number {
    const isGood =
      /^[-\w]{1,64}$/.test(it.topic) &&
      /^[-\w]{1,64}$/.test(it.sequence_id) &&
      Buffer.byteLength(it.message) <= 4096 && // a longer one becomes a file
      it.priority >= 1 &&
      it.priority <= 5 &&
      it.actions.length <= 3 &&
      it.actions.every(({ label, url }) => label !== "" && URL.canParse(url));
    if (!isGood) return 400;
    cleared.delete(`${it.topic} ${it.sequence_id}`);
    ntfy.published.push(it);
    return 200;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ntfy: NtfyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: null,
    isOld: false,
    published: [],
    fails: [],
    shown(topic) {
      const last = new Map(
        ntfy.published.filter((it) => it.topic === topic).map((it) => [it.sequence_id, it]),
      );
      return [...last.values()].filter((it) => !cleared.has(`${topic} ${it.sequence_id}`));
    },
    async tap({ actions }, label) {
      const action = actions.find((it) => it.label === label && it.action === "http");
      if (!action) throw new Error(`there is no button ${label}`);
      const response = await fetch(action.url, { method: action.method ?? "POST" });
      await response.body?.cancel();
      return response.status;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return ntfy;
}

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
