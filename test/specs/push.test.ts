/** Push messages through a real daemon, to browsers without their browser: what is sent is decrypted with their keys. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import type { PushService } from "../fakes/servers/push.ts";
import { pushService } from "../fakes/servers/push.ts";
import type { PretendedBrowser } from "../fakes/servers/push-browser.ts";
import { call, killDaemon, question } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { LoggedIn } from "./support/web.ts";
import { loggedIn } from "./support/web.ts";

const CONFIG = `
[person.ana]
[person.ben]

[[route]]
notify = ["ana"]
via    = ["push"]

[channel.push]
subject = "mailto:ana@example.com"
`;

interface Stage {
  project: Project;
  service: PushService;
  web: LoggedIn;
  /** A browser that ana is logged in with, and that has notices on. */
  phone: PretendedBrowser & { id: string };
  ask(prompt?: string, more?: object): Promise<string>;
  decision(id: string): Promise<Decision>;
}

interface Decision {
  state: string;
  answer: { labels: string[]; by: string; via: string } | null;
  notices: { channel: string; to: string; state: string; error: string | null }[];
}

async function stage(): Promise<Stage> {
  const service = await pushService();
  onTestFinished(() => service.close());
  const project = await tempProject();
  const settings = path.join(project.home, ".config/oj");
  fs.mkdirSync(settings, { recursive: true });
  fs.writeFileSync(path.join(settings, "config.toml"), CONFIG);
  const web = await loggedIn(project);
  const phone = await joined(service, web);
  return {
    project,
    service,
    web,
    phone,
    async ask(prompt = "Ship?", more = {}) {
      const body = { ...question(project, prompt), as: prompt, ...more };
      const reply = await call(project, "POST", "/decisions", { body });
      assert.equal(reply.status, 200, reply.text);
      return reply.json<{ id: string }>().id;
    },
    decision: async (id) => (await call(project, "GET", `/decisions/${id}`)).json<Decision>(),
  };
}

async function joined(service: PushService, web: LoggedIn): Promise<Stage["phone"]> {
  const { public_key, why } = JSON.parse((await web.call("GET", "/push/subscriptions")).text) as {
    public_key: string;
    why: string | null;
  };
  assert.equal(why, null);
  const phone = service.browser(public_key);
  const reply = await web.call("POST", "/push/subscriptions", { endpoint: phone.endpoint, keys: phone.keys });
  assert.equal(reply.status, 200, reply.text);
  return Object.assign(phone, { id: (JSON.parse(reply.text) as { id: string }).id });
}

describe("push messages", () => {
  it("tell of a decision, are answered by a button, and are replaced by who answered", async () => {
    const { project, phone, web, ask, decision, service } = await stage();
    const laptop = await joined(service, web);
    const id = await ask();
    const shown = await project.until(() => phone.shown[0], "the message");
    assert.deepEqual([shown.decision, shown.title], [id, "Ship?"]);
    assert.deepEqual(
      shown.actions.map((it) => it.title),
      ["yes", "no"],
    );
    await project.until(async () => (await decision(id)).notices.some((it) => it.state === "sent"));
    const [notice] = (await decision(id)).notices;
    assert.deepEqual([notice?.channel, notice?.to], ["push", "ana"]);

    const { path: to = "" } = shown.actions[1] ?? {};
    const press = () => web.ask("POST", to, { headers: { accept: "application/json", origin: web.origin } });
    for (const method of ["GET", "HEAD"]) await web.ask(method, to);
    assert.equal((await decision(id)).answer, null, "looking changes nothing");
    assert.equal((await press()).status, 200);
    const { answer } = await decision(id);
    assert.deepEqual([answer?.labels, answer?.by, answer?.via], [["no"], "ana", "push"]);
    const again = await press();
    assert.equal(again.status, 409);
    assert.match(again.text, /ana/);
    for (const it of [phone, laptop]) {
      const last = await project.until(() => it.shown.find((one) => /^Answered by ana: no/.test(one.body)));
      assert.deepEqual([last.tag, last.is_silent, last.actions], [id, true, []]);
    }
  });

  also("are replaced when somebody answers elsewhere, within what one round trip takes", async () => {
    const { project, phone, ask } = await stage();
    const id = await ask();
    await project.until(() => phone.shown[0]);
    const began = performance.now();
    await project.run("decision", "resolve", id, "1");
    await project.until(() => phone.shown.find((it) => /^Answered by ana: yes/.test(it.body)));
    process.stdout.write(
      `answered in a terminal, replaced in the browser: ${Math.round(performance.now() - began)} ms\n`,
    );
  });

  it("are owed across a crash, once", async () => {
    const { project, phone, service, ask } = await stage();
    service.answers(() => ({ status: 503 }));
    const id = await ask();
    await project.until(() => service.posts.length > 0);
    await killDaemon(project);
    service.answers(null);
    await project.run("daemon", "start");
    await project.until(() => phone.shown.length > 0);
    await project.run("decision", "resolve", id, "1");
    await project.until(() => /^Answered/.test(phone.shown.at(-1)?.body ?? ""));
    assert.equal(phone.shown.filter((it) => !/^Answered/.test(it.body)).length, 1);
  });

  also("stop where a subscription ended, and the decision says that nobody was told", async () => {
    const { project, phone, service, ask, decision, web } = await stage();
    service.expire(phone.endpoint);
    const id = await ask();
    const failed = await project.until(async () =>
      (await decision(id)).notices.find((it) => it.state === "failed"),
    );
    assert.match(failed.error ?? "", /ended its subscription/);
    const { subscriptions } = JSON.parse((await web.call("GET", "/push/subscriptions")).text);
    assert.deepEqual(subscriptions, []);
    assert.match((await project.run("web", "--devices")).stdout, /no browser gets push messages/);
  });

  it("never offer to approve what they don't show, and take secrets out", async () => {
    const { project, phone, ask } = await stage();
    const secret = `ghp_${"A1b2C3d4E5".repeat(4)}`;
    await ask("Long?", { context: `${secret} ${"because ".repeat(600)}` });
    const { body, actions } = await project.until(() => phone.shown[0]);
    assert.match(body, /\d+ characters hidden/);
    assert.ok(!body.includes(secret), body);
    assert.deepEqual(
      actions.map((it) => it.title),
      ["I'm on it"], // which lets nobody act
    );
  });
});

describe("a browser", () => {
  also("is listed and removed in a terminal, and gets nothing once it is logged out", async () => {
    const { project, phone, service, web } = await stage();
    const laptop = await joined(service, web);
    const listed = (await project.run("web", "--devices")).stdout;
    assert.match(listed, new RegExp(`${phone.id} +ana +a browser +never`));
    assert.ok(!listed.includes(phone.endpoint));
    assert.equal((await project.run("web", "--forget", laptop.id)).code, 0);
    assert.equal((await project.run("web", "--forget", laptop.id)).code, 1);
    assert.equal((await project.json<unknown[]>("web", "--devices")).length, 1);
    await project.run("web", "--logout");
    assert.deepEqual(await project.json("web", "--devices"), []);
  });

  also("of somebody who is not in the config joins nothing, and is told why", async () => {
    const { project, service } = await stage();
    project.env.OJ_USER = "mallory";
    const web = await loggedIn(project);
    const { public_key, why } = JSON.parse((await web.call("GET", "/push/subscriptions")).text);
    assert.deepEqual([public_key, why], [null, "your config has no [person.mallory]"]);
    const { endpoint, keys } = service.browser();
    const reply = await web.call("POST", "/push/subscriptions", { endpoint, keys });
    assert.equal(reply.status, 404, reply.text);
  });

  also("gets a link for elsewhere only if the config says where that is", async () => {
    const { project } = await stage();
    const file = path.join(project.home, ".config/oj/config.toml");
    assert.match((await project.run("web", "--elsewhere")).stderr, /\[web\] url/);
    fs.writeFileSync(file, `${CONFIG}\n[web]\nurl = "https://oj.example.com"\n`);
    const { stdout } = await project.until(async () => {
      const tried = await project.run("web", "--elsewhere");
      return tried.code === 0 && tried;
    });
    assert.match(stdout, /^https:\/\/oj\.example\.com\/#login=/);
  });
});
