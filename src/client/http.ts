/**
 * HTTP/1.1 over a unix socket, with `node:net` alone: loading `node:http` would cost every `oj` call more than the call
 * itself. It speaks only to our daemon, which answers with a length or in chunks and closes.
 */
import type { Socket } from "node:net";
import { connect } from "node:net";
import type { Call, Reply } from "./calls.ts";

/**
 * Sends the call and returns when the head of the response has arrived. Throws the socket's error (ENOENT,
 * ECONNREFUSED).
 */
export async function send(path: string, request: Call): Promise<Reply> {
  request.abort?.throwIfAborted();
  const socket = connect({ path });
  const end = () => socket.destroy(new Error("aborted"));
  request.abort?.addEventListener("abort", end, { once: true });
  socket.once("close", () => request.abort?.removeEventListener("abort", end));
  const body = Buffer.from(request.body ?? "");
  const lines = Object.entries({
    ...request.headers,
    host: "oj",
    connection: "close",
    "content-length": String(body.length),
  });
  const head = `${request.method} ${request.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), body]));

  const reader = new Reader(socket);
  const first = await reader.until("\r\n\r\n");
  const [statusLine = "", ...rest] = first.toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    rest.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(statusLine.split(" ")[1]);
  if (!Number.isInteger(status)) throw new Error(`not HTTP: ${statusLine.slice(0, 80)}`);
  return { status, headers, body: bodyOf(reader, headers, socket) };
}

async function* bodyOf(
  reader: Reader,
  headers: Record<string, string>,
  socket: Socket,
): AsyncGenerator<Buffer> {
  let isWhole = false;
  try {
    if (headers["transfer-encoding"]?.toLowerCase() === "chunked") yield* chunks(reader);
    else if (headers["content-length"] !== undefined) yield* reader.take(Number(headers["content-length"]));
    else yield* reader.rest();
    isWhole = true;
  } finally {
    // The daemon closes the connection after a whole response. If we closed it, the caller would only wait.
    if (!isWhole) socket.destroy();
    else socket.unref();
  }
}

async function* chunks(reader: Reader): AsyncGenerator<Buffer> {
  for (;;) {
    const size = Number.parseInt((await reader.until("\r\n")).toString("latin1"), 16);
    if (!(size >= 0)) throw new Error("a chunk without a size");
    if (size === 0) return;
    yield* reader.take(size);
    await reader.until("\r\n");
  }
}

/**
 * Cuts the byte stream into the pieces asked for. It listens to events, because an async iterator over a socket takes
 * longer to set up.
 */
class Reader {
  private buffer: Buffer = Buffer.alloc(0);
  private readonly socket: Socket;
  private error: Error | null = null;
  private ended = false;
  private wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (part: Buffer) => {
      this.buffer = this.buffer.length === 0 ? part : Buffer.concat([this.buffer, part]);
      if (this.buffer.length > HIGH_WATER) socket.pause();
      this.wake();
    });
    socket.on("error", (error) => {
      this.error = error;
      this.wake();
    });
    socket.on("close", () => {
      this.ended = true;
      this.wake();
    });
  }

  async until(mark: string): Promise<Buffer> {
    for (;;) {
      const at = this.buffer.indexOf(mark);
      if (at >= 0) {
        const found = this.buffer.subarray(0, at);
        this.buffer = this.buffer.subarray(at + mark.length);
        return found;
      }
      if (!(await this.fill())) throw new Error("the daemon closed the connection");
    }
  }

  async *take(size: number): AsyncGenerator<Buffer> {
    let left = size;
    while (left > 0) {
      if (this.buffer.length === 0 && !(await this.fill()))
        throw new Error("the daemon closed the connection");
      const piece = this.buffer.subarray(0, left);
      this.buffer = this.buffer.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async *rest(): AsyncGenerator<Buffer> {
    do {
      if (this.buffer.length > 0) yield this.buffer;
      this.buffer = Buffer.alloc(0);
    } while (await this.fill());
  }

  /** Waits for more bytes than there are now. Returns false at the end. */
  private async fill(): Promise<boolean> {
    const before = this.buffer.length;
    if (this.error) throw this.error;
    if (this.ended) return false;
    this.socket.resume();
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    if (this.buffer.length > before) return true;
    return this.fill();
  }
}

/** How many bytes may wait for a slow reader before the daemon has to wait. */
const HIGH_WATER = 1 << 20;
