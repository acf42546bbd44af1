/** A trusted proxy that says who calls, and everybody else who says so: forged names at every door. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Door } from "./support/raw-http.ts";
import { send } from "./support/raw-http.ts";
import { certificate, hasOpenssl, personWith } from "./support/served.ts";

const HEADER = "x-forwarded-user";
const JSON_BODY = ["content-type", "application/json"];

function certOf(project: Project): { files: string[]; cert: string; key: string; sha256: string } {
  const files = certificate(project);
  const [cert, key] = [files[1] ?? "", files[3] ?? ""].map((it) => fs.readFileSync(it, "utf8"));
  return { files, cert: cert ?? "", key: key ?? "", sha256: new X509Certificate(cert ?? "").fingerprint256 };
}

function settings(project: Project, text: string): void {
  const folder = path.join(project.home, ".config/oj");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "config.toml"), text);
}

async function serve(project: Project, ...flags: string[]): Promise<{ url: string; said: string }> {
  const running = project.start("serve", "-o", "json", ...flags);
  const said = await project.until(() => running.stdout().includes("}") && running.stdout(), "the door");
  return { url: (JSON.parse(said) as { url: string }).url, said: running.stderr() };
}

async function world(more = "") {
  const project = await tempProject();
  settings(
    project,
    `[undo]\nweb_s = 0\n[proxy]\nheader = "X-Forwarded-User"\n${more}[proxy.people]\n"Ana@Example.com" = "ana"\n`,
  );
  const ana = await personWith(project, "ana", ["approver", "--project", "shop"], "answer");
  await personWith(project, "chief", ["admin"], "admin");
  const ask = async (where = "shop") => {
    const words = ["--prompt", "Deploy?", "--option", "Yes", "--option", "No", "--project", where];
    return (await project.json<{ id: string }>("decision", "request", ...words)).id;
  };
  const unix = await serve(project, "--listen", `unix:${path.join(project.home, "door.sock")}`);
  return { project, ask, ana, unix: { url: unix.url, prefix: "/api" } };
}

const resolve = (door: Door, id: string, headers: string[]) =>
  send(door, "POST", `/decisions/${id}/resolve`, [...JSON_BODY, ...headers], '{"choices":[[1]]}');

describe("a proxy's header", () => {
  it("names the person over a unix socket: their own rights, recorded as them, by this door", async () => {
    const { project, ask, unix } = await world();
    const [shop, bank] = [await ask(), await ask("bank")];
    assert.equal(fs.statSync(unix.url.slice(5)).mode & 0o777, 0o600);
    assert.equal((await resolve(unix, bank, [HEADER, "ana"])).code, "request.forbidden");
    assert.equal((await send(unix, "GET", "/people", [HEADER, "ana"])).status, 403);
    assert.equal((await send(unix, "GET", "/people", [HEADER, "chief"])).status, 200);
    assert.equal(
      (await send(unix, "POST", "/daemon/stop", [HEADER, "chief", ...JSON_BODY], "{}")).status,
      403,
    );
    const reply = await resolve(unix, shop, ["X-Forwarded-USER", "ana@EXAMPLE.com"]);
    assert.equal(reply.status, 200, reply.text);
    const { answer } = await project.json<{ answer: { by: string; via: string } }>("decision", "show", shop);
    assert.deepEqual([answer.by, answer.via], ["ana", "proxy"]);

    await project.json("role", "revoke", "ana", "approver", "--project", "shop");
    assert.equal((await send(unix, "GET", "/decisions", [HEADER, "ana"])).status, 403);
    settings(project, "");
    assert.equal((await send(unix, "GET", "/people", [HEADER, "chief"])).status, 401);
  });

  also("logs a browser in without a token, and only as long as it is the same person", async () => {
    const { project, ask, unix } = await world();
    const id = await ask();
    const page = ["host", "oj.example", "origin", "https://oj.example", "sec-fetch-site", "same-origin"];
    const out = await send(unix, "GET", "/decisions", [...page, HEADER, "ana"]);
    assert.deepEqual([out.status, /"with":"door"/.test(out.text)], [401, true]);
    const enter = (headers: string[]) =>
      send({ url: unix.url }, "POST", "/login", [...headers, ...JSON_BODY], '{"token":""}');
    const entered = await enter([...page, HEADER, "ana"]);
    assert.equal(entered.status, 200, entered.text);
    assert.match(entered.cookie, /^__Host-oj=.*; Secure$/);
    const { key } = JSON.parse(entered.text) as { key: string };
    const login = ["cookie", entered.cookie.split(";")[0] ?? "", "x-oj-web-key", key];
    assert.equal((await resolve(unix, id, [...page, ...login, HEADER, "chief"])).status, 401);
    assert.equal((await resolve(unix, id, [...page, ...login, HEADER, "ana"])).status, 200);
    const { answer } = await project.json<{ answer: { by: string; via: string } }>("decision", "show", id);
    assert.deepEqual([answer.by, answer.via], ["ana", "web"]);
    const tokens = await project.json<{ device: { label: string } | null }[]>("token", "list");
    assert.ok(tokens.some((it) => it.device?.label === "a browser, named by proxy"));

    const evil = ["host", "oj.example", "origin", "https://evil.example", "sec-fetch-site", "cross-site"];
    for (const headers of [evil, evil.slice(0, 4), ["host", "oj.example", "sec-fetch-site", "cross-site"]])
      assert.equal((await enter([...headers, HEADER, "ana"])).status, 403);
    const other = await resolve(unix, id, ["origin", "https://evil.example", HEADER, "ana"]);
    assert.equal(other.status, 401, "a page of an old browser called in its visitor's name");
    await project.json("token", "revoke", "--for", "ana");
    assert.equal((await send(unix, "GET", "/decisions", [...page, ...login, HEADER, "ana"])).status, 401);
  });

  it.skipIf(!hasOpenssl)(
    "counts over TLS with the certificate that the settings name, and with no other",
    async () => {
      const maker = await tempProject();
      const [its, other] = [certOf(maker), certOf(maker)];
      const { project, ask } = await world(`certificate_sha256 = "${its.sha256}"\n`);
      const id = await ask();
      const { url } = await serve(project, "--listen", "127.0.0.1:0", ...certOf(project).files);
      const at = (cert?: { cert: string; key: string }): Door => ({
        url,
        prefix: "/api",
        ...(cert ? { cert } : {}),
      });
      const theirs = { cert: its.cert, key: its.key };
      assert.equal((await resolve(at(), id, [HEADER, "ana"])).status, 401);
      assert.equal(
        (await resolve(at({ cert: other.cert, key: other.key }), id, [HEADER, "ana"])).status,
        401,
      );
      await assert.rejects(resolve(at({ cert: its.cert, key: other.key }), id, [HEADER, "ana"]));
      for (let n = 0; n < 3; n++)
        assert.equal((await send(at(theirs), "GET", "/me", [HEADER, "ana"])).status, 200);
      assert.equal((await resolve(at(theirs), id, [HEADER, "ana"])).status, 200);
    },
  );

  also("is refused a socket that everybody could open, and takes no file's place", async () => {
    const project = await tempProject();
    const file = path.join(project.home, "door.sock");
    for (const mode of ["666", "777", "604", "060", "9", "x"])
      assert.equal(
        (await project.run("serve", "--listen", `unix:${file}`, "--socket-mode", mode)).code,
        2,
        mode,
      );
    fs.writeFileSync(file, "mine");
    assert.equal((await project.run("serve", "--listen", `unix:${file}`)).code, 1);
    assert.equal(fs.readFileSync(file, "utf8"), "mine");
    fs.rmSync(file);
    await serve(project, "--listen", `unix:${file}`, "--socket-mode", "660");
    assert.equal(fs.statSync(file).mode & 0o777, 0o660);
    assert.equal((await project.run("serve", "--listen", `unix:${file}`)).code, 1);
  });
});

/** Each in every spelling, alone and twice. */
const NAMES = [
  ...["x-oj-person", "x-oj-user", "x-oj-remote", "x-oj-run", "x-oj-session", "x-oj-web", "x-oj-address"],
  ...[HEADER, "x-remote-user", "remote-user", "x-auth-request-user", "x-auth-request-email"],
  ...["x-forwarded-email", "x-forwarded-preferred-username", "x-webauth-user", "x-authentik-username"],
  ...[
    "tailscale-user-login",
    "tailscale-user-name",
    "x-tailscale-user",
    "cf-access-authenticated-user-email",
  ],
  ...[
    "x-goog-authenticated-user-email",
    "x-ms-client-principal-name",
    "x-amzn-oidc-identity",
    "x-client-cert",
  ],
  ...["ssl-client-s-dn", "from", "forwarded", "x-real-ip", "x-forwarded-for"],
];
const SPELLINGS: ((name: string) => string[])[] = [
  (name) => [name, "chief"],
  (name) => [name.toUpperCase(), "chief"],
  (name) => [name.replaceAll("-", "_"), "chief"],
  (name) => [name, "chief", name, "chief"],
  (name) => [name, "chief", "x-oj-door", "proxy"],
  (name) => [name, "chief", "x-oj-door", "ssh", "x-oj-person", "chief"],
  (name) => [name, "chief", "connection", name],
];

describe("a forged name", () => {
  it("is accepted at no door, under no header, in no spelling", async () => {
    const { project, ask, unix } = await world();
    const id = await ask();
    const tcp = await serve(project, "--listen", "127.0.0.1:0");
    assert.match(tcp.said, /counts for nothing here/);
    const tls = hasOpenssl ? await serve(project, "--listen", "127.0.0.1:0", ...certOf(project).files) : null;
    const port = fs.readFileSync(path.join(project.stateDir, "port"), "utf8").trim();
    const hooks = `http://127.0.0.1:${port}`;
    const doors: [string, Door][] = [
      ["oj serve", { url: tcp.url, prefix: "/api" }],
      ["oj serve, past its prefix", { url: tcp.url }],
      ...(tls ? ([["oj serve with TLS", { url: tls.url, prefix: "/api" }]] as [string, Door][]) : []),
      ["the port of hooks and browsers", { url: hooks }],
      ["its calls", { url: hooks, prefix: "/api" }],
      ["the proxy's socket", { url: unix.url, prefix: "/api" }],
    ];
    let tried = 0;
    for (const [what, door] of doors)
      for (const name of NAMES)
        for (const spelling of SPELLINGS) {
          const headers = spelling(name);
          const isTheProxys = door.url.startsWith("unix:") && name === HEADER;
          const values = headers.filter((it, at) => at % 2 === 0 && it.toLowerCase() === HEADER).length;
          if (isTheProxys && values === 1) continue; // that is the proxy itself
          tried += 1;
          const from = `127.0.1.${1 + Math.floor(tried / 10)}`; // one address would soon have to wait
          const { status } = await resolve({ ...door, from }, id, headers);
          assert.ok([400, 401, 403, 404].includes(status), `${what}: ${headers}: ${status}`);
        }
    assert.ok(tried > 900, String(tried));
    for (const headers of [[], [HEADER, "chief"], ["x-oj-person", "chief"]]) {
      const reply = await send({ url: hooks }, "POST", "/mcp", [...JSON_BODY, ...headers], "{}");
      assert.ok([401, 403].includes(reply.status), `mcp ${headers}: ${reply.status}`);
    }
    const { state } = await project.json<{ state: string }>("decision", "show", id);
    assert.equal(state, "pending");
  });
});
