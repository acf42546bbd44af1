import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFirst } from "../../../test/fakes/write-first.ts";
import { Refusal } from "../../core/model/errors.ts";
import { bodyOf, hearOut } from "./incoming.ts";

const MOST = 1024;
const LIMITS = { bytes: 16 * 1024 * 1024, ms: 1000, atOnce: 2 };
const LARGE = Buffer.alloc(10 * 1024 * 1024, "x");
const HEAD = ["POST / HTTP/1.1", "host: x", "connection: close"];
const lines = (...more: string[]) => `${[...HEAD, ...more].join("\r\n")}\r\n\r\n`;

const tooLarge = () => new Refusal("request.too-large", "too large");
const answer = (limits?: typeof LIMITS) => (request: http.IncomingMessage, response: http.ServerResponse) => {
  bodyOf(request, MOST, tooLarge).then(
    (body) => response.end(`${body.length} bytes`),
    (error: Error) => {
      response.writeHead(413, { "content-length": error.message.length, connection: "close" });
      response.write(error.message);
      void hearOut(request, limits).then(() => response.end());
    },
  );
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-body-"));
const onSocket = http.createServer(answer());
const onPort = http.createServer(answer());
const strict = http.createServer(answer(LIMITS));

beforeAll(async () => {
  onSocket.listen(path.join(folder, "s"));
  onPort.listen(0, "127.0.0.1");
  strict.listen(0, "127.0.0.1");
  await Promise.all([onSocket, onPort, strict].map((it) => it.listening || once(it, "listening")));
});

afterAll(() => {
  for (const it of [onSocket, onPort, strict]) it.close().closeAllConnections();
  fs.rmSync(folder, { recursive: true });
});

function connect(server: http.Server): net.Socket {
  const at = server.address() as string | AddressInfo;
  return typeof at === "string" ? net.connect(at) : net.connect(at.port, "127.0.0.1");
}

const send = (server: http.Server, head: string, body: Buffer) =>
  writeFirst(connect(server), [...HEAD, head], body);

const REFUSED = /^HTTP\/1\.1 413 [\s\S]*\r\n\r\ntoo large$/;
const length = `content-length: ${LARGE.length}`;
const chunked = Buffer.concat([
  Buffer.from(`${LARGE.length.toString(16)}\r\n`),
  LARGE,
  Buffer.from("\r\n0\r\n\r\n"),
]);

describe.each([
  ["on a socket", onSocket],
  ["on a port", onPort],
])("a body that is too large, %s,", (_, server) => {
  it("is answered, and a caller that writes everything first can read the answer, 20 times", async () => {
    for (let n = 0; n < 20; n++) expect(await send(server, length, LARGE), `the ${n + 1}th`).toMatch(REFUSED);
  });

  it("is answered even if it does not state its length", async () => {
    for (let n = 0; n < 20; n++)
      expect(await send(server, "transfer-encoding: chunked", chunked)).toMatch(REFUSED);
  });

  it("is answered before all of it has arrived", async () => {
    const socket = connect(server);
    socket.write(`${lines(length)}the beginning`);
    const [first] = await once(socket, "data");
    assert.match(String(first), REFUSED);
    socket.destroy();
  });

  it("is refused, and one at the limit is accepted", async () => {
    const body = Buffer.alloc(MOST, "x");
    const text = await send(server, `content-length: ${MOST}`, body);
    assert.match(text, /1024 bytes$/);
  });
});

describe("a caller that does not stop sending", () => {
  const isClosed = (socket: net.Socket) => new Promise((resolve) => socket.once("close", resolve));
  const endless = lines(`content-length: ${1e12}`);

  it("is cut off after so many bytes", async () => {
    const socket = connect(strict).on("error", () => {});
    socket.write(endless);
    const pour = () => {
      while (!socket.destroyed && socket.write(LARGE.subarray(0, 65_536)));
    };
    socket.on("drain", pour).resume();
    pour();
    await isClosed(socket);
    assert.ok(socket.bytesWritten < LIMITS.bytes * 2, `${socket.bytesWritten} bytes`);
  });

  it("is cut off after a while, however little it sends", async () => {
    const socket = connect(strict).on("error", () => {});
    socket.write(`${endless}x`);
    socket.resume();
    await isClosed(socket);
  });

  it("is not listened to at all while others like it are", async () => {
    const begun = [1, 2].map(() => connect(strict).on("error", () => {}));
    for (const it of begun) it.write(`${endless}x`);
    await Promise.all(begun.map((it) => once(it, "data")));
    const third = connect(strict).on("error", () => {});
    third.write(`${endless}x`);
    third.resume();
    await isClosed(third);
    assert.ok(begun.every((it) => !it.destroyed));
    for (const it of begun) it.destroy();
  });
});
