/** A way to a server that can be shut (connection refused) and cut (whoever is inside is thrown out). */
import type { AddressInfo, Socket } from "node:net";
import net from "node:net";

export interface FlakyDoor {
  port: number;
  /** Nobody gets in until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  cut(): void;
}

export async function flakyDoor(to: number): Promise<FlakyDoor> {
  const inside = new Set<Socket>();
  const server = net.createServer((socket) => {
    const beyond = net.connect(to, "127.0.0.1");
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      inside.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        inside.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;

  function cut(): void {
    for (const it of inside) it.destroy();
  }

  return {
    port,
    async shut() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
    open: () => listen(port),
    cut,
  };
}
