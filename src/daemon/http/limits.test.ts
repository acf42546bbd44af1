import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { it } from "vitest";
import { httpLimits } from "./limits.ts";

const LIMIT_MS = 300;

it("half-sent requests are closed, and callers that wait for an answer are left alone", async () => {
  const half = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12345";
  let answer = () => {};
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const server = http.createServer(httpLimits(LIMIT_MS), (request, response) => {
    request.resume();
    request.on("error", () => {});
    request.on("end", asked);
    answer = () => response.end("at last");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const poll = new Promise<string>((resolve, reject) => {
      const request = http.request({ port, method: "POST", agent: false }, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      });
      request.on("error", reject).end("whole");
    });
    await isAsked;
    const answerPoll = answer;

    // sent later than the complete request, so when this one is closed, the other has waited longer
    const socket = net.connect(port, "127.0.0.1");
    let reply = "";
    socket.setEncoding("utf8").on("data", (part) => (reply += part));
    socket.write(half);
    await once(socket, "close");
    assert.match(reply, /^HTTP\/1\.1 408 /);

    answerPoll();
    assert.equal(await poll, "at last");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it("a connection is kept for longer than an agent pauses between two hooks", async () => {
  const server = http.createServer(httpLimits(), (request, response) => {
    request.resume();
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  try {
    const request = http.get({ port, agent });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    response.resume();
    assert.equal(response.headers["keep-alive"], "timeout=300");
    await once(response, "end");
  } finally {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  }
});
