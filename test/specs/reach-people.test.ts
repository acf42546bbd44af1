import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { reachProject } from "./support/reach.ts";

const PEOPLE = `
[person.ana]
ntfy  = "oj-ana"
hours = "mon-sun 00:00-24:00 Europe/Berlin"
[person.ben]
mail = "ben@example.com"
[group]
all = ["ana", "ben"]
[rota.primary]
people = ["ana", "ben"]
turn   = "1w"
from   = "2020-01-06 09:00 Europe/Berlin"
`;

/** A server of the person's own that takes every notification. */
async function server(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const listening = http.createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      if (request.method !== "GET") bodies.push(body);
      response.setHeader("content-type", "application/json");
      response.end('{"id":"m1","healthy":true}');
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, bodies };
}

describe("people and channels", () => {
  it("are shown: who is on, who hears of a decision and why, what is wrong with a channel", async () => {
    const { url } = await server();
    const hook = '[channel.webhook.audit]\nurl = "http://127.0.0.1:9/"\nsecret_file = "audit"\n';
    const routes =
      '[[route]]\nproject = "elsewhere"\nnotify = ["all"]\n[[route]]\nnotify = ["ana"]\nvia = ["ntfy"]\n';
    const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    const project = await reachProject(`${PEOPLE}[channel.ntfy]\nurl = "${url}"\n${hook}${routes}`, {
      audit: secret,
    });

    const who = await project.run("who");
    assert.match(who.stdout, /\nana +on +always +ntfy +mon-sun 00:00-24:00 Europe\/Berlin\n/);
    assert.match(who.stdout, /\n@primary +(ana|ben) +\S+ \S+ +(ana|ben)\n/);
    assert.match(who.stdout, /\nall +ana, ben\n/);

    const id = await project.ask("Ship it?");
    const explained = await project.run("route", "explain", id);
    assert.match(explained.stdout, /^– route 1 doesn't: project is shop, not elsewhere\n✓ route 2 matches\n/);
    assert.match(explained.stdout, /\nat once: ana\n {2}ntfy to oj-ana, for ana\n/);

    const channels = await project.json<{ name: string; trouble: string | null }[]>("channel", "list");
    const trouble = new Map(channels.map((it) => [it.name, it.trouble]));
    assert.equal(trouble.get("ntfy"), null);
    assert.match(trouble.get("webhook.audit") ?? "", /private/);
    const doctor = await project.run("doctor");
    assert.match(doctor.stdout, /✗ webhook\.audit +.*private/);
    assert.match(doctor.stdout, /✓ ntfy +reaches ana/);
  });

  also("are kept while the file is broken, and the doctor says what is wrong", async () => {
    const project = await reachProject(`${PEOPLE}[[route]]\nnotify = ["ana"]\n`);
    const names = async () =>
      (await project.json<{ people: { name: string }[] }>("who")).people.map((it) => it.name);
    assert.deepEqual(await names(), ["ana", "ben"]);
    project.configure(`${PEOPLE}[[route]]\nnotify = ["anna"]\n`);
    assert.deepEqual(await names(), ["ana", "ben"]);
    const doctor = await project.run("doctor");
    assert.equal(doctor.code, 1);
    const said = doctor.stdout.replace(/\s+/g, " ");
    assert.match(
      said,
      /✗ people .*: route 1: notify names an unknown person or group "anna"; did you mean "ana"\?/,
    );
    project.configure("[person.cy]\n");
    assert.deepEqual(await names(), ["cy"]);
    project.write({ ".oj/config.toml": '[person.eve]\nmail = "eve@example.com"\n' });
    const refused = await project.run("status");
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /"person" belongs in your own settings/);
  });

  it("are tried by a message that is sent, answered and over", async () => {
    const { url, bodies } = await server();
    const project = await reachProject(`${PEOPLE}[channel.ntfy]\nurl = "${url}"\n[[route]]\nnotify = []\n`);
    const testing = project.run("channel", "test", "ntfy");
    await project.until(() => bodies.some((it) => it.includes("Test of ntfy")));
    const [asked] = await project.json<{ id: string; title: string }[]>("decision", "list");
    assert.equal(asked?.title, "Test of ntfy: does this message reach you?");
    await project.run("decision", "resolve", asked?.id ?? "", "1");
    const { code, stdout } = await testing;
    assert.deepEqual([code, / answered by cli: Yes\n$/.test(stdout)], [0, true]);

    const unknown = await project.run("channel", "test", "nfty");
    assert.match(unknown.stderr, /there is no channel "nfty"\n.*did you mean "ntfy"\?/);
    project.configure(`${PEOPLE}[channel.ntfy]\nurl = "http://127.0.0.1:9"\n[[route]]\nnotify = []\n`);
    const down = await project.run("channel", "test", "ntfy");
    assert.equal(down.code, 1);
    assert.match(down.stderr, /✗ ntfy: /);
  });

  also("are set up step by step, with files for secrets that only their owner can read", async () => {
    const project = await reachProject("");
    const dir = path.join(project.home, ".config/oj");
    const added = await project.run("channel", "add", "slack");
    assert.equal(added.code, 0);
    assert.match(added.stdout, /1\. open https:\/\/api\.slack\.com\/apps/);
    assert.equal(fs.statSync(path.join(dir, "slack-bot-token")).mode & 0o777, 0o600);
    assert.ok(JSON.parse(fs.readFileSync(path.join(dir, "slack-app-manifest.json"), "utf8")));
    await project.run("channel", "add", "webhook", "audit", "--url", "https://example.com/oj");
    assert.match(fs.readFileSync(path.join(dir, "audit-secret"), "utf8"), /^whsec_[\w+/=]{32}\n$/);
    const before = fs.readFileSync(path.join(dir, "config.toml"), "utf8");
    assert.match(before, /^\[channel\.slack\]\nbot_token_file = "slack-bot-token"\n/);
    const again = await project.run("channel", "add", "slack");
    assert.match(again.stderr, /is there already/);
    assert.equal(fs.readFileSync(path.join(dir, "config.toml"), "utf8"), before);
    assert.equal((await project.run("channel", "add", "webhook")).code, 2);
  });
});
