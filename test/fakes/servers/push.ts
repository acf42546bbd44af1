/**
 * A push service on this machine. Browsers speak Mozilla's websocket protocol with it (hello, register, notification,
 * ack), application servers RFC 8030 with RFC 8188, 8291 and 8292. It enforces what the real ones enforce.
 *
 *     const service = await pushService();
 *     const phone = service.browser();                       // without a real browser: keeps what it can decrypt
 *     service.answers(() => ({ status: 410 }));              // the next answers, until `answers(null)`
 */
import { randomBytes, randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { WebSocket } from "ws";
import { WebSocketServer } from "ws";
import type { PretendedBrowser } from "./push-browser.ts";
import { pretendBrowser } from "./push-browser.ts";
import { checkPost } from "./push-rules.ts";

export interface PushPost {
  token: string;
  /** The address of the subscription. */
  endpoint: string;
  ttl: number;
  urgency: string;
  topic: string | null;
  subject: string;
  body: Buffer;
  /** What we answered. */
  status: number;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  text?: string;
}

export interface PushService {
  origin: string;
  /** For Firefox's `dom.push.serverURL`. */
  socketUrl: string;
  /** Everything that was posted, with our answer. */
  posts: PushPost[];
  /** How many messages real browsers have acknowledged. */
  acked(): number;
  /** Answers the next posts, to this subscription or to all; null: as a service in order would. */
  answers(how: ((post: Pick<PushPost, "token" | "endpoint">) => Answer | null) | null): void;
  /** The browser ended this subscription. */
  expire(endpoint: string): void;
  /** A subscription without a real browser. `key` is the application server's. */
  browser(key?: string): PretendedBrowser;
  close(): Promise<void>;
}

interface Registered {
  channel: string;
  key: string | null;
  /** What takes the messages; null: a browser that is not connected. */
  take: ((body: Buffer) => void) | null;
  /** Messages for a browser that is not there, by topic. */
  waiting: Map<string, Buffer>;
}

export async function pushService(): Promise<PushService> {
  const registered = new Map<string, Registered>();
  const posts: PushPost[] = [];
  let how: ((post: Pick<PushPost, "token" | "endpoint">) => Answer | null) | null = null;
  let acked = 0;
  const server = http.createServer((request, response) => {
    void answer(request).then(({ status, headers = {}, text = "" }) =>
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) }).end(text),
    );
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => serve(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const endpointOf = (token: string) => `${origin}/push/${token}`;

  function register(channel: string, key: string | null, take: Registered["take"]): string {
    const token = randomBytes(24).toString("base64url");
    registered.set(token, { channel, key, take, waiting: new Map() });
    return token;
  }

  async function answer(request: http.IncomingMessage): Promise<Answer> {
    const token = /^\/push\/([\w-]+)$/.exec(request.url ?? "")?.[1] ?? "";
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = Buffer.concat(parts);
    const known = registered.get(token);
    const checked = checkPost(request, body, { origin, key: known?.key ?? null });
    const endpoint = endpointOf(token);
    const wished = how?.({ token, endpoint }) ?? null;
    const reply: Answer =
      "refused" in checked ? checked.refused : (wished ?? (known ? { status: 201 } : { status: 410 }));
    const { ttl = 0, urgency = "", topic = null, subject = "" } = "refused" in checked ? {} : checked.taken;
    posts.push({ token, endpoint, ttl, urgency, topic, subject, body, status: reply.status });
    if (reply.status === 201 && known?.take) known.take(body);
    else if (reply.status === 201) known?.waiting.set(topic ?? randomUUID(), body);
    return reply;
  }

  /** One browser. It says hello, registers a channel for each subscription, and acknowledges what it got. */
  function serve(socket: WebSocket): void {
    const own = new Set<string>();
    const say = (message: object) => socket.send(JSON.stringify(message));
    socket.on("message", (raw) => {
      const message = JSON.parse(String(raw)) as Record<string, unknown>;
      switch (message.messageType) {
        case "hello":
          return say({
            messageType: "hello",
            uaid: randomUUID().replaceAll("-", ""),
            status: 200,
            use_webpush: true,
            broadcasts: {},
          });
        case "register": {
          const channelID = String(message.channelID);
          const key = typeof message.key === "string" ? message.key.replace(/=+$/, "") : null;
          const token = register(channelID, key, (body) =>
            say({
              messageType: "notification",
              channelID,
              version: randomUUID(),
              data: body.toString("base64url"),
              headers: { encoding: "aes128gcm" },
            }),
          );
          own.add(token);
          return say({ messageType: "register", channelID, status: 200, pushEndpoint: endpointOf(token) });
        }
        case "unregister":
          for (const [token, it] of registered)
            if (it.channel === message.channelID) registered.delete(token);
          return say({ messageType: "unregister", channelID: message.channelID, status: 200 });
        case "ack":
          acked += (message.updates as unknown[]).length;
          return undefined;
        case "ping":
          return say({});
        default:
          return undefined;
      }
    });
    socket.on("close", () => {
      for (const token of own) {
        const it = registered.get(token);
        if (it) it.take = null;
      }
    });
  }

  return {
    origin,
    socketUrl: `ws://127.0.0.1:${port}/`,
    posts,
    acked: () => acked,
    answers: (next) => {
      how = next;
    },
    expire(endpoint) {
      registered.delete(endpoint.split("/").at(-1) ?? "");
    },
    browser(key) {
      const browser = pretendBrowser();
      const token = register(randomUUID(), key ?? null, browser.take);
      return Object.assign(browser, { endpoint: endpointOf(token) });
    },
    async close() {
      for (const it of sockets.clients) it.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
