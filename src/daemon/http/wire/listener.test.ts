/** What goes over a real connection: addresses as they may be written, and responses of each kind. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { listenerOf } from "./listener.ts";
import { PlainResponse } from "./response.ts";

type Respond = Parameters<typeof listenerOf>[0];

describe("the listener", () => {
  for (const [target, host, url] of [
    ["/a?b=%20c", "oj", "http://oj/a?b=%20c"],
    ["/a/../b", "oj", "http://oj/b"],
    ["/a/%2e%2e/b", "oj", "http://oj/b"],
    ["//evil/a", "oj:4000", "http://oj:4000//evil/a"],
    ["/", "[::1]:80", "http://[::1]/"],
    ["/", "EXAMPLE.com", "http://example.com/"],
    ["http://there/x", "oj", "http://there/x"],
    ["/a\\..\\b", "oj", 400],
    ["*", "oj", 400],
    ["/", "o j", 400],
    ["/", "oj/a", 400],
    ["/", "o%6a", 400],
  ] as const)
    it(`takes ${target} at ${host} for ${url}`, async () => {
      const at = await served(({ url: seen }) => ours(seen));
      const said = await raw(at, `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      if (url === 400) assert.match(said, /^HTTP\/1\.1 400 /);
      else assert.equal(said.split("\r\n\r\n")[1], url);
    });

  it("sees the headers that are left, each value of those that came twice", async () => {
    const at = await served(
      ({ headers }) => ours(JSON.stringify([...headers])),
      [...["X-A", "1", "Authorization", "b", "x-a", "2", "authorization", "c"]],
    );
    const said = await raw(at, "GET / HTTP/1.1\r\nhost: oj\r\nclaim: x\r\nconnection: close\r\n\r\n");
    assert.equal(said.split("\r\n\r\n")[1], `[["authorization","b, c"],["x-a","1, 2"]]`);
  });

  it("sends a text with its length, nothing for HEAD, and cookies on lines of their own", async () => {
    const headers: [string, string][] = [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["content-type", "x/y"],
    ];
    const at = await served(() => ours("ä", { status: 201, headers }));
    const said = await raw(at, "GET / HTTP/1.1\r\nhost: oj\r\nconnection: close\r\n\r\n");
    assert.match(said, /^HTTP\/1\.1 201 Created\r\n/);
    for (const line of ["set-cookie: a=1", "set-cookie: b=2", "content-type: x/y", "content-length: 2"])
      assert.ok(said.includes(`\r\n${line}\r\n`), said);
    assert.ok(
      (await raw(at, "HEAD / HTTP/1.1\r\nhost: oj\r\nconnection: close\r\n\r\n")).endsWith("\r\n\r\n"),
    );
  });

  it("sends a response of the platform as well", async () => {
    const at = await served(() => new Response("as it is", { status: 202, headers: { x: "y" } }));
    const said = await raw(at, "GET / HTTP/1.0\r\nhost: oj\r\n\r\n");
    assert.match(said, /^HTTP\/1\.1 202 [\s\S]*\r\nx: y\r\n[\s\S]*\r\n\r\nas it is$/);
  });

  it("says that it failed, and cuts off what it can't finish", async () => {
    const broken = await served(() => Promise.reject(new Error("no")));
    assert.match(await raw(broken, "GET / HTTP/1.0\r\nhost: oj\r\n\r\n"), /^HTTP\/1\.1 500 /);
    let turn = 0;
    const half = await served(() =>
      ours(
        new ReadableStream({
          pull(it) {
            turn += 1;
            if (turn === 1) it.enqueue(Buffer.from("half"));
            else it.error(new Error("no"));
          },
        }),
      ),
    );
    const said = await raw(half, "GET / HTTP/1.1\r\nhost: oj\r\nconnection: close\r\n\r\n");
    assert.ok(/^HTTP.1.1 200 /.test(said) && !said.endsWith("0\r\n\r\n"), said);
  });

  it("waits for a slow reader, and stops when it has gone", async () => {
    let [made, gone] = [0, () => {}];
    const isGone = new Promise<void>((resolve) => {
      gone = resolve;
    });
    let left = 0;
    const at = await served(({ signal }) => {
      signal.addEventListener("abort", () => {
        left += 1;
      });
      return ours(
        new ReadableStream({
          pull(it) {
            made += 1;
            it.enqueue(new Uint8Array(1024 * 1024));
          },
          cancel: gone,
        }),
      );
    });
    const socket = net.connect(at);
    socket.write("GET / HTTP/1.1\r\nhost: oj\r\n\r\n");
    await new Promise((resolve) => socket.once("readable", resolve)); // and nothing is read
    socket.destroy();
    await isGone;
    assert.ok(made < 20, `${made} MB were made for nobody`);
    assert.equal(left, 1);
  });
});

function ours(...given: ConstructorParameters<typeof PlainResponse>): Response {
  return new PlainResponse(...given) as unknown as Response;
}

/** The path of a socket where this is served; with other headers than those that came, if given. */
async function served(respond: Respond, rawHeaders?: string[]): Promise<string> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-wire-"));
  const at = path.join(dir, "s");
  const listener = listenerOf(respond);
  const server = http.createServer((incoming, outgoing) => {
    void incoming.headers.host; // read before, as a door does
    if (rawHeaders) incoming.rawHeaders = rawHeaders;
    void listener(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(at, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    fs.rmSync(dir, { recursive: true });
  });
  return at;
}

/** All that comes back until the connection ends. */
async function raw(at: string, sent: string): Promise<string> {
  const socket = net.connect(at);
  socket.write(sent);
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part)).on("error", () => {});
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(parts).toString();
}
