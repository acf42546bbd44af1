/** Logging in on a machine without a browser: a code there, a person here. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { startOj, tempProject } from "./support/project.ts";

interface Token {
  id: string;
  person: string;
  scopes: string[];
  expires_at_ms: number;
  device: { label: string; address: string } | null;
}

async function world(...people: string[]) {
  const project = await tempProject();
  const tokens: string[] = [];
  for (const name of people) {
    await project.json("invite", name);
    await project.json("role", "grant", name, "approver");
    const flags = ["--for", name, "--scope", "answer", "--lasts", "2d"];
    tokens.push((await project.json<{ token: string }>("token", "create", ...flags)).token);
  }
  const serve = project.start("serve", "--listen", "127.0.0.1:0", "-o", "json");
  const said = await project.until(() => serve.stdout().includes("}") && serve.stdout(), "the door");
  const { url } = JSON.parse(said) as { url: string };
  return { project, url, tokens };
}

/** `oj login` on another machine, and the code that it shows. */
async function asking(project: Project, url: string, ...flags: string[]) {
  const home = fs.mkdtempSync(path.join(project.home, "theirs-"));
  const env = { ...project.env, HOME: home, OJ_STATE_DIR: path.join(home, "state"), OJ_USER: "mallory" };
  const login = startOj(["login", url, ...flags], home, env);
  const code = await project.until(() => /Your code: (\S+)/.exec(login.stderr())?.[1] ?? false, "the code");
  const run = (...args: string[]) => startOj([...args, "-o", "json"], home, env).ended;
  return { login, code, run, home };
}

const codeOf = (text: string) => (JSON.parse(text) as { error: { code: string } }).error.code;

describe("oj login without a token", () => {
  it("waits for a person who approves its code, and is then that person", async () => {
    const { project, url } = await world("ana");
    const { login, code, run, home } = await asking(project, url);
    const shown = await project.run("token", "approve", code, "--for", "ana");
    assert.equal(shown.code, 2); // nobody can be asked here
    for (const words of [/asks to log in/, /from +127\.0\.0\.1/, /as +ana/, /ask, answer/])
      assert.match(shown.stderr, words);
    assert.equal((await project.run("token", "approve", code, "--for", "ana", "--yes")).code, 0);
    const { code: exit, stdout } = await login.ended;
    assert.equal(exit, 0);
    assert.match(stdout, /logged in to http:.* as ana/);
    assert.equal((await run("decision", "list")).code, 0);
    const [, made] = await project.json<Token[]>("token", "list");
    assert.deepEqual(
      [made?.person, made?.scopes, made?.device?.address],
      ["ana", ["ask", "answer"], "127.0.0.1"],
    );
    // the code is used up, and the secret is nowhere but there
    assert.equal((await project.run("token", "approve", code, "--for", "ana", "--yes")).code, 1);
    const kept = fs.readFileSync(path.join(home, ".config/oj/contexts.json"), "utf8");
    const secret = /ojp_[a-z0-9]+_([\w-]{43})/.exec(kept)?.[1] ?? assert.fail();
    const file = path.join(project.home, "all.jsonl");
    await project.run("audit", "export", file);
    assert.ok(!fs.readFileSync(file, "utf8").includes(secret));
    assert.match(fs.readFileSync(file, "utf8"), /device\\":\{\\"label/);
  });

  also("is told when it was denied", async () => {
    const { project, url } = await world();
    const { login, code, run } = await asking(project, url);
    assert.equal((await project.run("token", "deny", code)).code, 0);
    const { code: exit, stderr } = await login.ended;
    assert.equal(exit, 1);
    assert.match(stderr, /was denied/);
    assert.equal((await run("context", "list")).stdout.trim(), "[]");
  });

  also(
    "is approved with a token only for its person, its scopes and its time, and is revoked with it",
    async () => {
      const { project, url, tokens } = await world("ana", "ben");
      const [ana = ""] = tokens;
      const as = (...args: string[]) =>
        startOj(["--server", url, ...args, "-o", "json"], project.home, { ...project.env, OJ_TOKEN: ana })
          .ended;
      const wide = await asking(project, url, "--scope", "admin");
      const tooMuch = await as("token", "approve", wide.code, "--yes");
      assert.deepEqual([tooMuch.code, codeOf(tooMuch.stdout)], [1, "request.forbidden"]);
      const other = await as("token", "approve", wide.code, "--for", "ben", "--yes");
      assert.deepEqual([other.code, codeOf(other.stdout)], [1, "request.forbidden"]);
      assert.equal((await as("token", "deny", wide.code)).code, 0);
      const own = await asking(project, url, "--scope", "read");
      assert.equal((await as("token", "approve", own.code, "--yes")).code, 0);
      const [denied, approved] = await Promise.all([wide.login.ended, own.login.ended]);
      assert.deepEqual([denied.code, approved.code], [1, 0]);
      const list = (await project.json<Token[]>("token", "list")).filter((it) => it.person === "ana");
      const [parent, child] = list;
      assert.equal(child?.expires_at_ms, parent?.expires_at_ms);
      await project.json("token", "revoke", parent?.id ?? "");
      const after = await own.run("decision", "list");
      assert.deepEqual([after.code, codeOf(after.stdout)], [1, "login.required"]);
    },
  );

  it("loses nothing that was approved when the daemon is killed, and nothing else can be used", async () => {
    const { project, url } = await world("ana");
    const [one, two] = [await asking(project, url), await asking(project, url)];
    assert.equal((await project.run("token", "approve", one.code, "--for", "ana", "--yes")).code, 0);
    await killDaemon(project);
    await project.json("status"); // starts it again
    assert.equal((await project.run("token", "approve", two.code, "--for", "ana", "--yes")).code, 1);
    const [approved, ended] = await Promise.all([one.login.ended, two.login.ended]);
    assert.deepEqual([approved.code, ended.code], [0, 1]);
    assert.match(ended.stderr, /nobody approved .* or the daemon there was restarted/);
    assert.equal((await one.run("decision", "list")).code, 0);
  });

  also("lets a stranger do nothing else", async () => {
    const { url } = await world("ana");
    const post = (route: string, body: object) =>
      fetch(`${url}/api${route}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-oj-address": "10.1.1.1", "x-oj-user": "root" },
        body: JSON.stringify(body),
      });
    const wanted = {
      id: "a".repeat(12),
      sha256: "0".repeat(64),
      scopes: ["admin"],
      lasts_ms: 1000,
      label: "x",
    };
    const asked = await post("/device/codes", wanted);
    const { code } = (await asked.json()) as { code: string };
    for (const [route, body] of [
      ["/device/look", { code }],
      ["/device/approve", { code, person: "ana" }],
      ["/device/deny", { code }],
      ["/device/codes/", wanted],
      ["/device/codes?x=/tokens", wanted],
      ["/device/codes/../../tokens", { person: "ana", scopes: ["admin"], lasts_ms: 1000 }],
    ] as const)
      assert.equal((await post(route, body)).status, 401, route);
    for (const change of [{ id: "../x" }, { sha256: "x" }, { scopes: [] }, { scopes: ["root"] }, { more: 1 }])
      assert.equal(
        (await post("/device/codes", { ...wanted, ...change })).status,
        422,
        JSON.stringify(change),
      );
    const poll = await post("/device/polls", { token: `ojp_${"a".repeat(12)}_${"x".repeat(43)}` });
    assert.deepEqual(await poll.json(), { state: "expired_token", interval_s: 5, person: null });
    for (let n = 1; n < 10; n++) assert.equal((await post("/device/codes", wanted)).status, 200);
    assert.equal((await post("/device/codes", wanted)).status, 429);
  });
});
