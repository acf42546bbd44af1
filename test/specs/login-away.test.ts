/** `oj login` while the server goes away at each moment of it: what somebody approved is kept, once. */
import assert from "node:assert/strict";
import fs from "node:fs";
import type { ServerResponse } from "node:http";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { it } from "vitest";
import { startOj, tempProject } from "./support/project.ts";

type Away = (response: ServerResponse) => void;

const refusal = (code: string) => JSON.stringify({ error: { code, message: "not now", hint: null } });

/** How a server that is started again may look to whoever asks it. */
const LOOKS: Record<string, Away> = {
  "a connection that breaks": (response) => void response.socket?.destroy(),
  "half an answer": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write('{"state":');
    setImmediate(() => response.socket?.destroy());
  },
  "a door whose daemon is gone": (response) =>
    void response.writeHead(503, { "content-type": "application/json" }).end(refusal("daemon.unreachable")),
  "a daemon that stops": (response) =>
    void response.writeHead(503, { "content-type": "application/json" }).end(refusal("daemon.stopping")),
  "a proxy with nothing behind it": (response) =>
    void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>"),
};

/** A server where the code is approved at once, but away when it is asked this for the first time. */
async function serverAway(at: string, look: Away) {
  const asked: string[] = [];
  const answers: Record<string, object> = {
    "/api/device/codes": { code: "ABCD-EFGH", url: null, expires_at_ms: 0, expires_in_s: 600, interval_s: 1 },
    "/api/device/polls": { state: "approved", interval_s: 1, person: "ana" },
    "/api/me": { name: "ana", scopes: ["ask", "answer"] },
  };
  const server = http.createServer((request, response) => {
    const to = request.url ?? "";
    asked.push(to);
    if (to === at && asked.filter((it) => it === at).length === 1) return look(response);
    const body = JSON.stringify(answers[to] ?? {});
    response.writeHead(200, { "content-type": "application/json", connection: "close" }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}

const ROWS = ["/api/device/polls", "/api/me"].flatMap((at) =>
  Object.entries(LOOKS).map(([name, look]) => ({ at, name, look })),
);

it("keeps what was approved, whenever the server goes away and however that looks", async () => {
  const project = await tempProject();
  const wrong = await Promise.all(
    ROWS.map(async ({ at, name, look }, n) => {
      const server = await serverAway(at, look);
      const home = fs.mkdtempSync(path.join(project.home, `theirs-${n}-`));
      const env = { ...project.env, HOME: home, OJ_STATE_DIR: path.join(home, "state") };
      const login = await startOj(["login", server.url, "-o", "json"], home, env).ended;
      server.close();
      const kept = await startOj(["context", "list", "-o", "json"], home, env).ended;
      const isKept = (JSON.parse(kept.stdout) as { url: string }[]).some((it) => it.url === server.url);
      const twice = server.asked.filter((it) => it === at).length === 2;
      return login.code === 0 && isKept && twice ? [] : [`${name} at ${at}: ${login.code} ${login.stderr}`];
    }),
  );
  assert.deepEqual(wrong.flat(), []);
}, 120_000);
