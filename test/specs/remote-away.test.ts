/** What waits at another machine's server goes on when that server was away, and misses nothing. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Project } from "./support/project.ts";
import { startOj, tempProject } from "./support/project.ts";

const AWAY = /the server can't be reached; this continues when it can/;

async function served(project: Project, listen: string) {
  const door = project.start("serve", "--listen", listen, "-o", "json");
  const said = await project.until(() => door.stdout().includes("}") && door.stdout(), "the door");
  return { door, url: (JSON.parse(said) as { url: string }).url };
}

/** Commands of bob, on a machine of his own. */
async function bobOf(project: Project) {
  await project.json("invite", "bob");
  await project.json("role", "grant", "bob", "approver");
  const flags = ["--for", "bob", "--scope", "ask,answer", "--lasts", "2d"];
  const { token } = await project.json<{ token: string }>("token", "create", ...flags);
  const home = fs.mkdtempSync(path.join(project.home, "theirs-"));
  const env = { ...project.env, HOME: home, OJ_STATE_DIR: path.join(home, "state"), OJ_TOKEN: token };
  return (url: string, ...args: string[]) => startOj(["--server", url, ...args], home, env);
}

it("waits on at a server that goes away and comes back", async () => {
  const project = await tempProject();
  const bob = await bobOf(project);
  const { door, url } = await served(project, "127.0.0.1:0");
  const ask = ["decision", "request", "--project", "p", "--option", "Yes", "--option", "No"];
  const { stdout } = await bob(url, ...ask, "--prompt", "First?", "-o", "json").ended;
  const { id } = JSON.parse(stdout) as { id: string };
  const waiting = {
    await: bob(url, "decision", "await", id),
    ask: bob(url, ...ask, "--prompt", "Second?", "--wait"),
    watch: bob(url, "decision", "watch", "--headless", "--after", "0"),
  };
  const all = Object.values(waiting);
  const pending = () => project.json<{ id: string }[]>("decision", "list");
  await project.until(async () => (await pending()).length === 2, "both questions");
  await project.until(() => waiting.watch.stdout().includes("decision:created"), "the event");
  door.kill("SIGKILL");
  await door.ended;
  await project.until(() => all.every((it) => AWAY.test(it.stderr())), "all to notice");
  await project.run("decision", "resolve", id, "1"); // while nobody there can hear it
  await served(project, new URL(url).host);
  for (const it of await pending()) await project.run("decision", "resolve", it.id, "2");
  const [first, second] = await Promise.all([waiting.await.ended, waiting.ask.ended]);
  assert.deepEqual([first.code, first.stdout.trim()], [0, "Yes"]);
  assert.deepEqual([second.code, second.stdout.trim()], [0, "No"]);
  const answers = () => waiting.watch.stdout().split('"decision:resolved"').length - 1;
  await project.until(() => answers() === 2, "both answers, the one that was missed too");
  waiting.watch.kill("SIGINT");
  assert.equal((await waiting.watch.ended).code, 130);
});

it("says so at once where there never was a server", async () => {
  const project = await tempProject();
  const bob = await bobOf(project);
  const { door, url } = await served(project, "127.0.0.1:0");
  door.kill("SIGKILL");
  await door.ended;
  const { code, stderr } = await bob(url, "decision", "await", "dec-0000000000").ended;
  assert.equal(code, 3);
  assert.match(stderr, /can't be reached/);
});
