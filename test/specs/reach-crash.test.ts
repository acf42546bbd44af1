import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, onTestFinished } from "vitest";
import { isGone } from "./support/http.ts";
import type { ReachProject } from "./support/reach.ts";
import { reachProject } from "./support/reach.ts";

interface Got {
  id: string;
  type: string;
  decision: string;
}

/** A service that does as it is told with each request, and remembers those that it took. */
async function service() {
  const got: Got[] = [];
  let act = (response: ServerResponse, take: () => void) => {
    take();
    response.writeHead(204).end();
  };
  const server = http.createServer((request: IncomingMessage, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const { type, data } = JSON.parse(body) as {
        type: string;
        data: { id?: string; decision?: { id: string } };
      };
      const decision = data.id ?? data.decision?.id ?? "";
      act(response, () => got.push({ id: String(request.headers["webhook-id"]), type, decision }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    got,
    does(next: typeof act) {
      act = next;
    },
  };
}

async function withService(): Promise<{ project: ReachProject; hook: Awaited<ReturnType<typeof service>> }> {
  const hook = await service();
  const config = `[channel.webhook.audit]\nurl = "${hook.url}"\nsecret_file = "secret"\nallow_private = true\nevents = ["decision.created", "decision.settled"]\n`;
  const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
  return { project: await reachProject(config, { secret }), hook };
}

/** The daemon dies by SIGKILL with the first request; the service goes on as before after that. */
function dyingAtFirst(hook: Awaited<ReturnType<typeof service>>, pid: number, arrives: boolean): void {
  hook.does((response, take) => {
    if (arrives) take();
    process.kill(pid, "SIGKILL");
    response.destroy();
    hook.does((later, takeLater) => {
      takeLater();
      later.writeHead(204).end();
    });
  });
}

describe("a daemon that is killed", () => {
  for (const arrives of [false, true]) {
    const when = arrives ? "after a message arrived, before it knew" : "between the commit and the message";
    it(`${when}: the next one sees to it that there is exactly one`, async () => {
      const { project, hook } = await withService();
      await project.run("daemon", "start");
      const pid = (await project.daemonPid()) ?? assert.fail("no daemon runs");
      dyingAtFirst(hook, pid, arrives);
      const id = await project.ask("Ship it?").catch(() => null);
      await project.until(() => isGone(pid), "the end of the daemon");
      await project.run("daemon", "start");
      const [asked] = await project.json<{ id: string }[]>("decision", "list");
      assert.ok(asked);
      if (id !== null) assert.equal(asked.id, id);
      await project.told(asked.id, "webhook");
      const keys = new Set(hook.got.map((it) => it.id));
      assert.equal(keys.size, 1, "sent again, it has the same key");
      if (!arrives) assert.equal(hook.got.length, 1);
      assert.deepEqual([...new Set(hook.got.map((it) => it.type))], ["decision.created"]);

      await project.run("decision", "resolve", asked.id, "1");
      await project.until(() => hook.got.some((it) => it.type === "decision.settled"));
    });
  }
});
