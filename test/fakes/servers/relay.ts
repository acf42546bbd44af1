/** A TCP relay in front of a server, which loses what it is told to lose. */
import type { AddressInfo, Socket } from "node:net";
import net from "node:net";

export interface Relay {
  port: number;
  /** Nothing passes on the connections that are open now, and nobody is told. New ones work. */
  freeze(): void;
  /** New connections are frozen from the start, too. */
  freezeAll(): void;
  /** What was held back since passes again. */
  thaw(): void;
  /** The next time that a client sends this text, the server gets it, and the client's connection breaks instead of a reply. */
  loseReplyTo(text: string): void;
  /** The next time that a client sends this text, the connection breaks before the server gets it. */
  loseRequest(text: string): void;
  /** The next time that a client sends this text, the server gets it once `call` is done. */
  before(text: string, call: () => Promise<unknown>): void;
  /** Every byte takes this long each way, as over a distance. */
  delay(ms: number): void;
  /** From now on it leads to another server; connections that are open break. */
  pointTo(port: number): void;
  /** Breaks every connection. */
  cut(): void;
  /** How many times something was lost as told. */
  lost(): number;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  isFrozen: boolean;
  held: [Socket, Buffer][];
}

export async function relayTo(first: number): Promise<Relay> {
  let port = first;
  const pairs = new Set<Pair>();
  let trap: { text: string; isReply: boolean } | null = null;
  let pause: { text: string; call: () => Promise<unknown> } | null = null;
  let freezesNew = false;
  let lost = 0;
  let delayMs = 0;

  const listening = net.createServer((client) => {
    const server = net.connect({ port, host: "127.0.0.1" });
    const pair: Pair = { client, server, isFrozen: freezesNew, held: [] };
    pairs.add(pair);
    let awaited = false;
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    const pass = (to: Socket, data: Buffer) => {
      if (pair.isFrozen) pair.held.push([to, data]);
      else if (delayMs > 0) setTimeout(() => to.writable && to.write(data), delayMs);
      else to.write(data);
    };
    client.on("data", (data) => {
      if (pause !== null && data.includes(pause.text)) {
        const { call } = pause;
        pause = null;
        pair.isFrozen = true;
        void call().finally(() => thaw(pair));
      }
      const isCaught = trap !== null && !pair.isFrozen && data.includes(trap.text);
      if (isCaught && !trap?.isReply) {
        trap = null;
        lost += 1;
        return end();
      }
      if (isCaught) {
        trap = null;
        awaited = true;
      }
      pass(server, data);
    });
    server.on("data", (data) => {
      if (!awaited) return pass(client, data);
      if (!data.includes("COMMIT") && !data.includes("ROLLBACK")) return; // more of the reply follows
      lost += 1;
      end();
    });
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => !pair.isFrozen && end());
    }
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));

  function thaw(pair: Pair): void {
    pair.isFrozen = false;
    for (const [to, data] of pair.held.splice(0)) if (to.writable) to.write(data);
    // whoever gave up meanwhile has closed its end, and that arrives behind what it had sent
    if (pair.client.destroyed) pair.server.end();
    if (pair.server.destroyed) pair.client.end();
  }
  function freeze(): void {
    for (const pair of pairs) pair.isFrozen = true;
  }
  function cut(): void {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
    pairs.clear();
  }

  return {
    port: (listening.address() as AddressInfo).port,
    freeze,
    freezeAll() {
      freezesNew = true;
      freeze();
    },
    thaw() {
      freezesNew = false;
      for (const pair of pairs) thaw(pair);
    },
    loseReplyTo(text) {
      trap = { text, isReply: true };
    },
    loseRequest(text) {
      trap = { text, isReply: false };
    },
    before(text, call) {
      pause = { text, call };
    },
    delay(ms) {
      delayMs = ms;
    },
    pointTo(next) {
      port = next;
      cut();
    },
    cut,
    lost: () => lost,
    close() {
      cut();
      return new Promise((resolve) => listening.close(() => resolve()));
    },
  };
}
