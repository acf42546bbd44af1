/** Somebody who left: through which doors they came in before, and that none is open after, whatever happens then. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { linksOf, replyTo } from "../fakes/servers/mail.ts";
import { killDaemon, visit } from "./support/http.ts";
import { browserAt, DOORS, doorsAt } from "./support/leaver.ts";
import { mailWorld } from "./support/mail.ts";
import { personWith } from "./support/served.ts";

const open = (all: Record<string, boolean>) => Object.keys(all).filter((it) => all[it]);

describe("a person who is removed", () => {
  it("gets in nowhere, neither now nor after a restart; nor does whoever has the name next, but with their own token", async () => {
    const { project, server, mailsTo, receive } = await mailWorld(`${DOORS}[undo]\nweb_s = 0`);
    await project.run("daemon", "start");
    const ana = await personWith(project, "ana", ["approver"], "answer");
    const ben = await personWith(project, "ben", ["approver"], "answer");
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ana", 1);
    assert.ok(mail);
    await project.told(id, "mail");
    const [link = ""] = linksOf(mail);
    const byLink = async () => (await visit(link)).status;
    const walk = await doorsAt(project, "ana", ana.token);
    const bens = await doorsOfBen();
    const before = await walk.doors();
    assert.deepEqual(open(before), Object.keys(before));
    assert.equal(await byLink(), 200);
    const streams = await walk.streams();

    const removed = await project.json<{ tokens: number; settings: string[] }>("person", "remove", "ana");
    // of her own, and for the browser that the proxy has named
    assert.deepEqual([removed.tokens, removed.settings], [2, ["[person.ana]", "routes"]]);
    assert.deepEqual(await Promise.all(streams.map((it) => it.ended)), Array(3).fill("login.required"));
    const shut = async (when: string) => {
      assert.deepEqual(open(await walk.doors()), [], when);
      assert.equal(await byLink(), 404, when);
      const form = { method: "POST", headers: { accept: "text/html" }, form: { words: "go" } };
      assert.equal((await visit(link, form)).status, 404, when);
      await receive(replyTo(mail, "1"));
      assert.equal((await project.show(id)).state, "pending", when);
      assert.equal(await bens(), 200, when);
    };
    await shut("after");
    assert.ok(!(await project.json<{ name: string }[]>("person")).some((it) => it.name === "ana"));
    await killDaemon(project);
    await project.json("status");
    await shut("after a restart");

    // somebody else with the same name
    const next = await personWith(project, "ana", ["approver"], "answer");
    const browser = await browserAt(walk.url, next.token);
    await shut("after somebody else was invited under the name");
    await killDaemon(project);
    await project.json("status");
    await shut("after another restart");
    assert.equal(await browser(), true, "theirs is another login");
    const other = await project.ask("Ship 2.0?");
    await mailsTo("ben", 2);
    assert.equal(server.mails.filter((it) => it.to.includes("ana@example.com")).length, 1);
    assert.notEqual(next.id, ana.id);
    await project.json("invite", "ana", "--doors");
    const third = await project.ask("Ship 3.0?");
    const [, news] = await mailsTo("ana", 2);
    assert.ok(news);
    assert.equal(await byLink(), 404); // what was sent to whoever left
    assert.equal((await visit(linksOf(news)[0] ?? "")).status, 200);
    const doors = await walk.doors();
    assert.deepEqual(open(doors), ["proxy", "ssh"]); // of whoever the settings mean now
    await receive(replyTo(news, "1"));
    assert.deepEqual((await project.show(third)).answer?.by, "ana");
    assert.equal((await project.show(other)).state, "pending");

    async function doorsOfBen(): Promise<() => Promise<number>> {
      const [bens] = await mailsTo("ben", 1);
      assert.ok(bens && ben.token);
      return async () => (await visit(linksOf(bens)[0] ?? "")).status;
    }
  });

  it("is refused for those without the right, for the last admin, and for nobody", async () => {
    const { project } = await mailWorld();
    await project.run("daemon", "start");
    const refused = async (...words: string[]) => {
      const { code, stdout } = await project.run(...words, "-o", "json");
      assert.equal(code, 1, stdout);
      return (JSON.parse(stdout) as { error: { code: string; hint: string } }).error;
    };
    assert.equal((await refused("person", "remove", "eve")).code, "person.not-found");
    await personWith(project, "chief", ["admin"], "admin");
    assert.match((await refused("person", "remove", "chief")).hint, /oj role grant NAME admin/);
    await personWith(project, "next", ["admin"], "admin");
    assert.equal((await project.run("person", "remove", "chief")).code, 0);
    assert.equal((await refused("person", "remove", "next")).code, "person.last-admin");
    assert.match((await refused("person", "remove", "chief")).code, /person.not-found/);
    // whom only the settings name
    assert.deepEqual((await project.json<{ settings: string[] }>("person", "remove", "ben")).settings, [
      "[person.ben]",
      "routes",
    ]);
    assert.equal((await refused("person", "remove", "ben")).code, "person.not-found");
  });
});
