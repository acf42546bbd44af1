/** People on other machines: the door that `oj serve` opens, and what the command line does behind it. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "./support/http.ts";
import type { Project, Running } from "./support/project.ts";
import { OJ, startOj, tempProject } from "./support/project.ts";

interface Made {
  id: string;
  token: string;
}

interface Refused {
  error: { code: string; message: string };
}

async function tokenFor(project: Project, name: string, role: string[], scope: string): Promise<string> {
  await project.json("invite", name);
  await project.json("role", "grant", name, ...role);
  return (await project.json<{ token: string }>("token", "create", "--for", name, "--scope", scope)).token;
}

const ask = async (project: Project, ...more: string[]) =>
  (
    await project.json<{ id: string }>(
      "decision",
      "request",
      "--prompt",
      "Deploy?",
      "--option",
      "Yes",
      "--option",
      "No",
      ...more,
    )
  ).id;

/** Returns its address, once it serves. */
async function serving(project: Project, ...flags: string[]): Promise<{ url: string; running: Running }> {
  const running = project.start("serve", "--listen", "127.0.0.1:0", "-o", "json", ...flags);
  const said = await project.until(() => running.stdout().includes("}") && running.stdout(), "the door");
  return { url: (JSON.parse(said) as { url: string }).url, running };
}

/** Somebody else's command line: another home and state folder, the same machine. */
function elsewhere(project: Project) {
  const home = path.join(project.home, "theirs");
  fs.mkdirSync(home, { recursive: true });
  const stateDir = path.join(home, "state");
  const env = { ...project.env, HOME: home, OJ_STATE_DIR: stateDir, OJ_USER: "mallory" };
  return {
    home,
    stateDir,
    run: (given: Record<string, string>, ...args: string[]) =>
      startOj(args, home, { ...env, ...given }).ended,
    pipe: (input: string, ...args: string[]) =>
      spawnSync(process.execPath, [OJ, ...args], { cwd: home, env, input, encoding: "utf8" }),
  };
}

describe("oj serve", () => {
  it("lets people in with a token, and each does what their roles allow", async () => {
    const project = await tempProject();
    const ana = await tokenFor(project, "ana", ["approver", "--project", "shop"], "answer");
    const ben = await tokenFor(project, "ben", ["viewer"], "admin");
    const [shop, bank] = [await ask(project), await ask(project, "--project", "bank")];
    const { url, running } = await serving(project);
    const there = elsewhere(project);
    const as = (token: string, ...args: string[]) =>
      there.run({ OJ_TOKEN: token }, "--server", url, ...args, "-o", "json");
    const codeOf = (text: string) => (JSON.parse(text) as Refused).error.code;

    const seen = async (token: string) =>
      (JSON.parse((await as(token, "decision", "list")).stdout) as { id: string }[]).map((it) => it.id);
    assert.deepEqual(await seen(ana), [shop]);
    assert.deepEqual((await seen(ben)).toSorted(), [shop, bank].toSorted());
    for (const [token, id] of [
      [ben, shop],
      [ana, bank],
    ] as const) {
      const { code, stdout } = await as(token, "decision", "resolve", id, "1");
      assert.deepEqual([code, codeOf(stdout)], [1, "request.forbidden"]);
    }
    assert.equal((await as(ana, "decision", "resolve", shop, "1")).code, 0);
    const { answer } = await project.json<{ answer: { by: string; via: string } }>("decision", "show", shop);
    assert.deepEqual([answer.by, answer.via], ["ana", "cli"]);

    for (const headers of [
      {},
      { "x-oj-user": "root" },
      { "x-oj-agent-token": "x" },
      { authorization: "Bearer nothing" },
    ])
      assert.equal((await fetch(`${url}/api/decisions`, { headers })).status, 401, JSON.stringify(headers));
    assert.equal(
      (await fetch(`${url}/decisions`, { headers: { authorization: `Bearer ${ben}` } })).status,
      404,
    );
    const { code, stdout } = await there.run({}, "--server", url, "decision", "list", "-o", "json");
    assert.deepEqual([code, codeOf(stdout)], [1, "login.required"]);
    assert.ok(!fs.existsSync(there.stateDir), "a daemon was started where the command was called");

    await project.json("token", "revoke", "--for", "ana");
    const revoked = await as(ana, "decision", "list");
    assert.deepEqual([revoked.code, codeOf(revoked.stdout)], [1, "login.required"]);
    running.kill("SIGTERM");
    assert.equal((await running.ended).code, 0);
  });

  also(
    "takes a rotated token for as long as it was told to, across a crash, and says who rotated it",
    async () => {
      const project = await tempProject();
      await tokenFor(project, "ana", ["viewer"], "read");
      await project.json("token", "revoke", "--for", "ana");
      const first = await project.json<Made>("token", "create", "--for", "ana", "--scope", "read");
      const chief = await tokenFor(project, "chief", ["admin"], "admin");
      const { url } = await serving(project);
      const there = elsewhere(project);
      const as = (token: string, ...args: string[]) =>
        there.run({ OJ_TOKEN: token }, "--server", url, ...args, "-o", "json");
      const codes = (...tokens: string[]) =>
        Promise.all(tokens.map(async (it) => (await as(it, "decision", "list")).code));

      assert.equal((await as(first.token, "token", "rotate", first.id)).code, 1);
      const rotated = await as(chief, "token", "rotate", first.id, "--overlap", "1h");
      assert.equal(rotated.code, 0, rotated.stderr);
      const second = JSON.parse(rotated.stdout) as Made;
      assert.deepEqual(await codes(first.token, second.token), [0, 0]);
      await killDaemon(project);
      await project.json("status"); // a query at home starts the daemon
      assert.deepEqual(await codes(first.token, second.token), [0, 0]);
      assert.equal((await project.run("token", "rotate", first.id)).code, 1);
      const list = await project.run("token", "list");
      assert.match(list.stdout, new RegExp(`${first.id} .* rotated into ${second.id}`));

      const third = await project.run("token", "rotate", second.id, "--overlap", "0");
      assert.match(third.stderr, new RegExp(`${second.id} is revoked`));
      assert.deepEqual(await codes(second.token, third.stdout.trim()), [1, 0]);
      assert.equal((await project.run("token", "rotate", "nothing")).code, 1);
      assert.equal((await project.run("token", "rotate", second.id, "--overlap", "soon")).code, 2);

      const file = path.join(project.home, "export.jsonl");
      assert.equal((await project.run("audit", "export", file)).code, 0);
      const text = fs.readFileSync(file, "utf8");
      assert.match(text, /person:rotated.*chief/);
      for (const it of [first.token, second.token, third.stdout.trim()])
        assert.ok(!text.includes(it.split("_").slice(2).join("_")));
      assert.equal((await project.run("audit", "verify", file)).code, 0);
    },
  );

  also("keeps what one logs in to, under names", async () => {
    const project = await tempProject();
    const token = await tokenFor(project, "ana", ["viewer"], "read");
    const id = await ask(project);
    const { url } = await serving(project);
    const there = elsewhere(project);
    const list = async (...args: string[]) => there.run({}, "decision", "list", "-o", "json", ...args);

    assert.equal(there.pipe("nothing\n", "login", url, "--with-token").status, 1);
    assert.equal(there.pipe(`${token}\n`, "login", url, "--with-token", "--name", "work").status, 0);
    assert.match((await list()).stdout, new RegExp(id));
    const contexts = await there.run({}, "context", "list", "-o", "json");
    assert.deepEqual(JSON.parse(contexts.stdout), [{ name: "work", url, current: true, logged_in: true }]);
    const file = path.join(there.home, ".config/oj/contexts.json");
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);

    assert.equal((await there.run({}, "context", "use", "local")).code, 0);
    assert.match((await list("--server", "work")).stdout, new RegExp(id));
    assert.equal((await there.run({}, "context", "use", "nowhere")).code, 1);
    assert.equal((await there.run({}, "logout", "work")).code, 0);
    assert.ok(!fs.readFileSync(file, "utf8").includes(token));
    assert.equal((await list("--server", "work")).code, 1);
  });

  it("is only open to other machines with TLS", async () => {
    const project = await tempProject();
    const { code, stderr } = await project.run("serve", "--listen", "0.0.0.0:0");
    assert.equal(code, 1);
    assert.match(stderr, /TLS/);
    const plain = await project.run("--server", "http://192.0.2.1", "decision", "list");
    assert.equal(plain.code, 2);
    assert.match(plain.stderr, /TLS/);
    const nobody = await startOj(["--server", "https://127.0.0.1:1", "decision", "list"], project.dir, {
      ...project.env,
      OJ_TOKEN: "x",
    }).ended;
    assert.equal(nobody.code, 3);
  });

  it.skipIf(!hasOpenssl())("serves TLS, and a certificate that nobody knows is refused", async () => {
    const project = await tempProject();
    const [cert, key] = [path.join(project.home, "c.pem"), path.join(project.home, "k.pem")];
    const made = [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ];
    const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    execFileSync("openssl", [...made, "-keyout", key, "-out", cert, ...name], { stdio: "ignore" });
    const token = await tokenFor(project, "ana", ["viewer"], "read");
    const { url } = await serving(project, "--tls-cert", cert, "--tls-key", key);
    assert.match(url, /^https:/);
    const there = elsewhere(project);
    const list = (given: Record<string, string>) =>
      there.run({ OJ_TOKEN: token, ...given }, "--server", url, "decision", "list", "-o", "json");
    assert.equal((await list({})).code, 3);
    assert.deepEqual((await list({ NODE_EXTRA_CA_CERTS: cert })).stdout.trim(), "[]");
  });
});

function hasOpenssl(): boolean {
  const has = spawnSync("openssl", ["version"]).status === 0;
  if (!has) process.stderr.write("the test of TLS is skipped: there is no openssl\n");
  return has;
}
