/** The attacks of web-attacks.test.ts again, by pages in a real browser that is logged in: what it really sends is what counts. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import { doorOf } from "./support/web.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((it) => fs.existsSync(it));

/** A name that points at this machine, as an attacker's would after rebinding. */
const EVIL = "evil.test";

/** Its daemon writes down whom it refuses. */
async function toldProject(): Promise<Project> {
  const project = await tempProject();
  const settings = path.join(project.home, ".config/oj");
  fs.mkdirSync(settings, { recursive: true });
  fs.writeFileSync(path.join(settings, "config.toml"), `[log]\nlevel = "debug"\n`);
  return project;
}

/** Opens the address in this person's browser profile, and returns the final page. */
function visit(project: Project, address: string): Promise<string> {
  const flags = [
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ..."--headless --disable-gpu --disable-dev-shm-usage --no-first-run --disable-sync".split(" "),
    ..."--disable-background-networking --disable-component-update --disable-breakpad".split(" "),
    `--user-data-dir=${path.join(project.home, "chromium")}`,
    `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`,
    "--virtual-time-budget=20000",
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(CHROMIUM ?? "", [...flags, "--dump-dom", address], {
      env: { ...project.env, TMPDIR: project.home }, // it leaves files there
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    child.on("error", reject).on("close", () => resolve(text));
  });
}

/** Tries everything that a page can try against the inbox, and writes down how each attempt went. */
function attacks(inbox: string, id: string): string {
  const resolve = `${inbox}/api/decisions/${id}/resolve`;
  return `<!doctype html><pre id="out"></pre><iframe name="frame"></iframe>
<form target="frame" method="post" enctype="text/plain" action="${resolve}"><input name='{"choices":[[1]],"x":"' value='"}'></form>
<script type="module">
const out = (name, how) => { document.getElementById("out").textContent += name + ": " + how + "\\n"; };
const attempt = async (name, what) => out(name, await what().catch(() => "refused"));
const send = (url, init) => fetch(url, { credentials: "include", ...init }).then((it) => "GOT " + it.status);
const answer = (type, mode) => send("${resolve}", { method: "POST", mode, headers: { "content-type": type }, body: '{"choices":[[1]]}' });
document.querySelector("form").submit();
await attempt("read", () => send("${inbox}/api/decisions"));
await attempt("read blindly", () => send("${inbox}/api/decisions", { mode: "no-cors" }));
await attempt("answer as JSON", () => answer("application/json", "cors"));
await attempt("answer as text", () => answer("text/plain", "no-cors"));
await attempt("answer as a form", () => answer("application/x-www-form-urlencoded", "no-cors"));
await attempt("log out", () => send("${inbox}/api/web/logins", { method: "DELETE" }));
await attempt("events", () => new Promise((over) => {
  const events = new EventSource("${inbox}/api/events?after=0", { withCredentials: true });
  events.onopen = () => over("OPEN");
  events.onerror = () => { events.close(); over("refused"); };
}));
await attempt("picture", () => new Promise((over) => {
  const image = new Image();
  image.onload = () => over("LOADED");
  image.onerror = () => over("refused");
  image.src = "${inbox}/api/decisions";
}));
out("done", "yes");
</script>`;
}

it("pages of other ports, names and sites get nowhere, even though the browser is logged in", async ({
  skip,
}) => {
  if (!CHROMIUM) skip("there is no chromium: apt-get install chromium");
  const project = await toldProject();
  const words = ["--prompt", "Ship?", "--option", "Yes"];
  const { id } = await project.json<{ id: string }>("decision", "request", ...words);
  const { url } = await project.json<{ url: string }>("web");
  await visit(project, url);
  assert.equal((await project.json<unknown[]>("web", "--logins")).length, 1);

  const { port, origin } = doorOf(project);
  const cookies: string[] = [];
  const site = http.createServer((request, response) => {
    cookies.push(request.headers.cookie ?? "");
    response.setHeader("content-type", "text/html").end(attacks(origin, id));
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => site.close(() => resolve())));
  const { port: other } = site.address() as AddressInfo;

  for (const host of ["127.0.0.1", "localhost", EVIL]) {
    const [, told = ""] =
      /<pre id="out">([^<]*)/.exec(await visit(project, `http://${host}:${other}/`)) ?? [];
    const ways = told.trim().split("\n");
    assert.equal(ways.pop(), "done: yes", host);
    assert.equal(ways.length, 8, told);
    for (const way of ways) assert.match(way, /: refused$/, host);
  }
  // Each page's form, and whatever needs no permission to be sent, have come here and were turned away.
  const posts = () =>
    fs
      .readFileSync(path.join(project.stateDir, "daemon.log"), "utf8")
      .split("\n")
      .filter((it) => /a web request was refused.*"POST".*\/resolve"/.test(it)).length;
  await project.until(() => posts() >= 3 * 3);
  assert.match(await visit(project, `http://${EVIL}:${port}/`), /request\.forbidden/);

  // The browser does give our cookie to the other port, where it is worthless.
  const stolen = cookies.find((it) => it.includes(`oj-${port}=`));
  assert.ok(stolen, "the other port got no cookie: the key would not be needed");
  const reply = await doorOf(project).ask("GET", "/api/decisions", { headers: { cookie: stolen } });
  assert.equal(reply.code, "login.required");

  const after = await project.json<{ state: string; held: unknown }>("decision", "show", id);
  assert.deepEqual([after.state, after.held], ["pending", null]);
  assert.equal((await project.json<unknown[]>("web", "--logins")).length, 1);
});

also("a link on another site leads to the inbox, and a frame there shows nothing of it", async ({ skip }) => {
  if (!CHROMIUM) skip("there is no chromium: apt-get install chromium");
  const project = await toldProject();
  const words = ["--prompt", "Ship the blue one?", "--option", "Yes"];
  const { id } = await project.json<{ id: string }>("decision", "request", ...words);
  const { url } = await project.json<{ url: string }>("web");
  await visit(project, url);
  const { origin } = doorOf(project);
  const site = http.createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    if (request.url === "/link")
      response.end(`<script>location.href = "${origin}/#/decision/${id}"</script>`);
    else response.end(`<iframe src="${origin}/"></iframe>`);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => site.close(() => resolve())));
  const { port } = site.address() as AddressInfo;

  for (const host of [EVIL, "localhost"]) {
    const page = await visit(project, `http://${host}:${port}/link`);
    assert.match(page, /Ship the blue one\?<\/h2>/, `by the link of ${host}, logged in`);
  }
  const log = () => fs.readFileSync(path.join(project.stateDir, "daemon.log"), "utf8");
  const refused = /a web request was refused.*"GET".*"path":"\/"/;
  assert.doesNotMatch(log(), refused);
  await visit(project, `http://${EVIL}:${port}/frame`);
  await project.until(() => refused.test(log()), "the frame was refused");
});
