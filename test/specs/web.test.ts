/** The inbox for browsers: logging in, staying logged in, and what a page may do. What is kept out is in web-attacks.test.ts. */
import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "./support/http.ts";
import { tempProject } from "./support/project.ts";
import { doorOf, enter, loggedIn, makeCode } from "./support/web.ts";

async function asked(project: Awaited<ReturnType<typeof tempProject>>, prompt = "Ship?"): Promise<string> {
  const words = ["--prompt", prompt, "--option", "Yes", "--option", "No"];
  return (await project.json<{ id: string }>("decision", "request", ...words)).id;
}

describe("oj web", () => {
  it("prints a link whose fragment logs one browser in, and opens nothing without a display", async () => {
    const project = await tempProject();
    const id = await asked(project);
    const { stdout, stderr, code } = await project.run("web", id.slice(0, 7));
    assert.equal(code, 0);
    const { port } = doorOf(project);
    assert.match(stdout, new RegExp(`^http://127\\.0\\.0\\.1:${port}/#login=[\\w-]{43}&decision=${id}\n$`));
    assert.match(stderr, /within two minutes; it works once/);
    assert.match((await project.run("web", "dec-nope")).stderr, /dec-nope/);
  });

  also("lists the browsers that are logged in, and logs out one or all of them", async () => {
    const project = await tempProject();
    assert.equal((await project.run("web", "--logins")).stdout, "no browser is logged in\n");
    const [a, b] = [await loggedIn(project), await loggedIn(project)];
    const logins = await project.json<{ id: string; user: string; browser: string }[]>("web", "--logins");
    assert.deepEqual(
      logins.map((it) => it.user),
      ["ana", "ana"],
    );
    assert.equal((await project.run("web", "--logout", logins[0]!.id)).stdout, "1 browser is logged out\n");
    assert.deepEqual(
      [(await a.call("GET", "/health")).code, (await b.call("GET", "/health")).status],
      ["login.required", 200],
    );
    const unused = await makeCode(project);
    assert.equal((await project.run("web", "--logout")).stdout, "1 browser is logged out\n");
    assert.equal((await b.call("GET", "/health")).code, "login.required");
    assert.equal((await enter(doorOf(project), unused)).code, "login.refused");
    assert.match((await project.run("web", "--logout", "nope")).stderr, /there is no login nope/);
  });
});

describe("a browser that is logged in", () => {
  it("lists and answers as the person, marked as coming from the web, and can undo", async () => {
    const project = await tempProject();
    const id = await asked(project);
    const { call } = await loggedIn(project);
    const list = await call("GET", "/decisions?brief=true");
    assert.deepEqual([list.status, Number(list.headers["x-oj-seq"]) > 0], [200, true]);
    assert.equal(JSON.parse(list.text)[0].id, id);
    const resolved = await call("POST", `/decisions/${id}/resolve`, { choices: [[1]] });
    assert.equal(resolved.status, 200, resolved.text);
    const { held } = JSON.parse(resolved.text).decision;
    assert.deepEqual([held.answer.by, held.answer.via], ["ana", "web"]);
    assert.equal((await call("POST", `/decisions/${id}/undo`, {})).status, 200);
  });

  also("acts as the person who logged in, whatever its requests claim", async () => {
    const project = await tempProject();
    const id = await asked(project);
    const { ask, origin, cookie, key } = await loggedIn(project);
    const headers = {
      ...{ origin, cookie, "x-oj-web-key": key, "content-type": "application/json" },
      ...{ "x-oj-user": "mallory", "x-oj-via": "cli", "x-oj-session": "s" },
    };
    const reply = await ask("POST", `/api/decisions/${id}/resolve`, { headers, body: `{"choices":[[1]]}` });
    const { by, via } = JSON.parse(reply.text).decision.held.answer;
    assert.deepEqual([by, via], ["ana", "web"]);
  });

  it("stays logged in when the daemon is killed, and its code and secrets are nowhere on disk", async () => {
    const project = await tempProject();
    const { call, cookie, key } = await loggedIn(project);
    await killDaemon(project);
    await project.run("daemon", "start");
    assert.equal((await call("GET", "/health")).status, 200);
    const file = path.join(project.stateDir, "web-logins.json");
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    const [, secret = ""] = cookie.split("=");
    for (const name of fs.readdirSync(project.stateDir)) {
      const at = path.join(project.stateDir, name);
      if (!fs.statSync(at).isFile()) continue;
      const text = fs.readFileSync(at, "latin1");
      assert.ok(!text.includes(secret) && !text.includes(key), name);
    }
  });

  also("is answered while the daemon starts again, as soon as the port is open", async () => {
    const project = await tempProject();
    const { cookie, key } = await loggedIn(project);
    const { origin } = doorOf(project);
    const headers = { cookie, "x-oj-web-key": key };
    for (let round = 0; round < 5; round++) {
      await killDaemon(project);
      const started = project.run("daemon", "start");
      let isUp = false;
      const statuses: number[] = [];
      const pages = Array.from({ length: 8 }, async () => {
        while (!isUp) {
          const signal = AbortSignal.timeout(60_000);
          const reply = await fetch(`${origin}/api/health`, { headers, signal }).catch((error: Error) => {
            assert.notEqual(error.name, "TimeoutError", "a request was taken and never answered");
            return null; // nobody listens yet
          });
          if (reply) statuses.push(reply.status);
        }
      });
      await started;
      isUp = true;
      await Promise.all(pages);
      assert.deepEqual([...new Set(statuses)], [200]);
    }
  });

  also("keeps its address when the port is freed a moment after the daemon's end", async () => {
    const project = await tempProject();
    const { call } = await loggedIn(project);
    const port = Number(doorOf(project).port);
    await killDaemon(project);
    const holder = net.createServer();
    await project.until(async () => {
      holder.listen(port, "127.0.0.1");
      return once(holder, "listening").then(Boolean, () => false);
    }, "the port is free");
    const started = project.run("daemon", "start");
    // as long as it is busy, the start can only try again; a port of its own would show at once
    const isHeld = await Promise.race([started.then(() => false), delay(700, true)]);
    assert.ok(isHeld, "it waits for the port");
    holder.close();
    assert.equal((await started).code, 0);
    assert.equal((await call("GET", "/health")).status, 200);
  });

  also("receives the events after its list as they happen", async () => {
    const project = await tempProject();
    await asked(project);
    const { ask, cookie, key, call } = await loggedIn(project);
    const seq = Number((await call("GET", "/decisions?brief=true")).headers["x-oj-seq"]);
    const id = await asked(project, "Another?");
    const headers = { cookie, "x-oj-web-key": key };
    const { status } = await ask("GET", "/api/events?after=x", { headers });
    assert.equal(status, 422);
    const stream = await fetch(`${doorOf(project).origin}/api/events?after=${seq}`, { headers });
    const reader = stream.body!.getReader();
    let text = "";
    while (!text.includes(id)) text += Buffer.from((await reader.read()).value ?? []).toString("utf8");
    assert.match(text, new RegExp(`^id: ${seq + 1}$`, "m"));
    await reader.cancel();
  });

  it("may not do what belongs in a terminal", async () => {
    const project = await tempProject();
    const { call } = await loggedIn(project);
    for (const [to, body] of [
      ["/run", { cwd: project.dir, project: "shop", command: "x" }],
      ["/daemon/stop", {}],
      ["/mcp/tokens", { name: "x", project: "shop", cwd: project.dir }],
      ["/web/links", {}],
      ["/hooks/session", {}],
      ["/inject", { project: "shop", session: "s", text: "x" }],
    ] as const)
      assert.equal((await call("POST", to, body)).code, "request.forbidden", to);
  });
});

describe("the page", () => {
  it("has a content policy that blocks everything from elsewhere, and its assets are cached forever", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const { ask } = doorOf(project);
    const page = await ask("GET", "/");
    assert.equal(page.status, 200);
    const policy = String(page.headers["content-security-policy"]);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    for (const [name, value] of Object.entries({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-cache",
    }))
      assert.equal(page.headers[name], value);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? "";
    const asset = await ask("GET", script);
    assert.equal(asset.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(asset.headers["content-type"], "text/javascript; charset=utf-8");
    const small = await ask("GET", script, { headers: { "accept-encoding": "gzip" } });
    assert.equal(small.headers["content-encoding"], "gzip");
    assert.ok(Number(small.headers["content-length"]) < Number(asset.headers["content-length"]));
  });

  also("is all that is served: nothing else in the folder, and nothing outside it", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const { ask } = doorOf(project);
    for (const to of [
      "/index.html",
      "/assets/",
      "/assets/../index.html",
      "/assets/../../oj.cjs",
      "/..%2foj.cjs",
      "//etc/passwd",
      "/login",
      "/api",
      "/decisions",
      "http://127.0.0.1/decisions",
    ])
      assert.equal((await ask("GET", to)).status, 404, to);
  });
});
