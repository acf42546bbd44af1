/** The door that asks tailscaled, against a double of its LocalAPI: there is no tailnet here. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { byTailscale, loginIn, peerOf } from "./tailscale.ts";

const ANA = { Node: { Name: "laptop.", Tags: null }, UserProfile: { LoginName: "ana@example.com" } };

async function tailscaled(answer: http.RequestListener): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-tail-"));
  const server = http.createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const socket = path.join(folder, "t.sock");
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return socket;
}

const CALL = { remoteAddress: "::ffff:100.64.0.2", remotePort: 50_000, localAddress: "::ffff:100.100.1.1" };
const asked = (socket: string, ends: object = CALL) =>
  byTailscale({ socket, people: new Map() }, () => new Set(["100.100.1.1"]))({ socket: ends } as never);

describe("who calls from a tailnet", () => {
  it("is the owner of the machine that the call came from", async () => {
    const urls: (string | undefined)[] = [];
    const socket = await tailscaled((request, response) => {
      urls.push(request.url, request.headers.host);
      response.end(JSON.stringify(ANA));
    });
    assert.deepEqual(await asked(socket), { person: "ana@example.com", door: "tailscale" });
    assert.deepEqual(urls, ["/localapi/v0/whois?addr=100.64.0.2%3A50000", "local-tailscaled.sock"]);
  });

  it("is asked only for both ends in a tailnet, and never for this machine itself", () => {
    const own = new Set(["100.100.1.1", "fd7a:115c:a1e0::1"]);
    const to = (remoteAddress: string, localAddress = "100.100.1.1") =>
      peerOf({ remoteAddress, remotePort: 1, localAddress }, own);
    assert.equal(to("100.64.0.1"), "100.64.0.1:1");
    assert.equal(to("100.127.255.255"), "100.127.255.255:1");
    assert.equal(to("fd7a:115c:a1e0::2", "fd7a:115c:a1e0::1"), "[fd7a:115c:a1e0::2]:1");
    for (const remote of [
      "100.100.1.1",
      "FD7A:115C:A1E0::1",
      "127.0.0.1",
      "::1",
      "100.63.0.1",
      "100.128.0.1",
    ])
      assert.equal(to(remote), null, remote);
    for (const remote of ["192.168.1.2", "1100.64.0.1", "100.64.0.1.evil", "fd7a:115c:a1e1::2", ""])
      assert.equal(to(remote), null, remote);
    for (const local of ["127.0.0.1", "0.0.0.0", "192.168.1.1", ""])
      assert.equal(to("100.64.0.1", local), null, local);
    assert.equal(peerOf({}, own), null);
  });

  it("is nobody if the machine has tags or no owner", () => {
    assert.equal(loginIn(null), null);
    assert.equal(loginIn({ ...ANA, Node: { Tags: ["tag:ci"] } }), null);
    assert.equal(loginIn({ Node: {}, UserProfile: { LoginName: "tagged-devices" } }), null);
    assert.equal(loginIn({ Node: {}, UserProfile: { LoginName: " " } }), null);
  });

  for (const said of [
    ...[false, [], "ana", 7, {}, { Node: {} }, { UserProfile: ANA.UserProfile }],
    ...[
      { ...ANA, Node: { Tags: "tag:ci" } },
      { ...ANA, Node: { Tags: {} } },
      { ...ANA, Node: null },
    ],
    ...[
      { Node: {}, UserProfile: { LoginName: ["ana"] } },
      { Node: {}, UserProfile: { LoginName: "a".repeat(201) } },
    ],
  ])
    it(`is not guessed from ${JSON.stringify(said).slice(0, 60)}`, () =>
      assert.throws(() => loginIn(said), { code: "server.unreachable" }));

  const BROKEN: [string, http.RequestListener][] = [
    ["hangs", () => {}],
    ["stops in the middle", (_, response) => void response.write('{"Node":')],
    ["says no JSON", (_, response) => void response.end("<html>")],
    ["says null", (_, response) => void response.end("null")],
    ["says too much", (_, response) => void response.end(`"${"x".repeat(300_000)}"`)],
    ["fails", (_, response) => void response.writeHead(500).end()],
    ["leads elsewhere", (_, response) => void response.writeHead(302, { location: "http://x" }).end()],
    ["hangs up", (request) => void request.socket.destroy()],
  ];
  for (const [what, answer] of BROKEN)
    it(`is refused, soon, if tailscaled ${what}`, async () => {
      const began = performance.now();
      await assert.rejects(asked(await tailscaled(answer)), { code: "server.unreachable" });
      assert.ok(performance.now() - began < 20_000);
    });

  it("is refused if tailscaled is not there, and unknown if it knows no such caller", async () => {
    await assert.rejects(asked("/nowhere/t.sock"), { code: "server.unreachable" });
    const socket = await tailscaled((_, response) => void response.writeHead(404).end("no match"));
    assert.equal(await asked(socket), null);
  });
});
