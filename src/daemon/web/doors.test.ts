import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { it, onTestFinished } from "vitest";
import type { Refusal } from "../../core/model/errors.ts";
import { REFUSALS } from "../../core/model/errors.ts";
import type { Visit } from "../http/public-door.ts";
import { publicDoors } from "../http/public-door.ts";
import { doorFor, visitDoor } from "./doors.ts";

async function setup() {
  const doors = publicDoors();
  const visits: Visit[] = [];
  const close = doors.open({
    path: "/slack/events",
    methods: ["POST"],
    maxBytes: 10,
    async visit(visit) {
      visits.push(visit);
      return { status: 201, headers: { "x-own": "yes" }, body: visit.body.toString("utf8") };
    },
  });
  doors.open({
    path: "/a/",
    methods: ["GET", "HEAD"],
    maxBytes: 10,
    visit: async () => ({ status: 200, body: "page" }),
  });
  const server = http.createServer((request, response) => {
    const door = doorFor(doors, request);
    if (!door) return response.writeHead(299).end();
    return visitDoor(door, { hosts: ["oj.example.com"], setting: "web.url" }, request, response).catch(
      (error: Refusal) => response.writeHead(REFUSALS[error.code].http).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const call = (method: string, path: string, body = "", headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }>((resolve, reject) => {
      const request = http.request(
        { port, host: "127.0.0.1", method, path, headers: { host: "oj.example.com", ...headers } },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => (text += part));
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
          );
        },
      );
      request.once("error", reject).end(body);
    });
  return { call, visits, close };
}

it("lets visitors in by the path, and leaves every other path to the login", async () => {
  const { call, visits, close } = await setup();
  const { status, body, headers } = await call("POST", "/slack/events?a=1", "ping");
  assert.deepEqual(
    [status, body, headers["x-own"], headers["cache-control"]],
    [201, "ping", "yes", "no-store"],
  );
  assert.equal(visits[0]?.query.get("a"), "1");
  for (const path of ["/slack/events/", "/slack", "/a", "/"])
    assert.equal((await call("POST", path)).status, 299);
  assert.equal((await call("GET", "/a/b/c")).body, "page");
  assert.equal((await call("HEAD", "/a/b")).body, "");
  close();
  assert.equal((await call("POST", "/slack/events")).status, 299);
});

it("refuses other host names, other methods, agents and large bodies before anything is done", async () => {
  const { call, visits } = await setup();
  assert.equal((await call("POST", "/slack/events", "", { host: "evil.example" })).status, 403);
  assert.equal((await call("POST", "/slack/events", "", { "x-oj-agent-token": "x" })).status, 403);
  assert.equal((await call("GET", "/slack/events")).status, 404);
  assert.equal((await call("POST", "/slack/events", "x".repeat(11))).status, 413);
  assert.deepEqual(visits, []);
});
