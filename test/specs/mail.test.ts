/** Mail through the real daemon and a real SMTP server: what goes out, what comes back, and what must not count. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { headerOf, linksOf, replyTo, textOf } from "../fakes/servers/mail.ts";
import { call, isGone, question, visit } from "./support/http.ts";
import { bounceOf, mailWorld } from "./support/mail.ts";
import type { ReachProject } from "./support/reach.ts";

/** Until the notices to both people are in this state. */
const allAre = (project: ReachProject, id: string, state: string) =>
  project.until(async () => {
    const { notices } = await project.show(id);
    return notices.length === 2 && notices.every((it) => it.state === state);
  }, `both ${state}`);

describe("a decision by mail", () => {
  it("is answered by a reply, reaches whoever asked, and everybody who was asked hears of it in the thread", async () => {
    const { project, mailsTo, receive } = await mailWorld();
    const id = await project.ask("Ship 1.0?", "--as", "bot");
    const waiting = project.start("decision", "await", id, "-o", "json");
    const [first] = await mailsTo("ana", 1);
    assert.ok(first);
    assert.match(headerOf(first, "Subject") ?? "", /^Ship 1\.0\?/);
    assert.match(textOf(first), /bot asks ana[\s\S]*Ship 1\.0\?[\s\S]*1 {2}Yes[\s\S]*2 {2}No/);
    await project.told(id, "mail");

    const { code, stderr } = await receive(replyTo(first, "1 but tell everybody"));
    assert.equal(code, 0, stderr);
    const ended = await waiting.ended;
    assert.equal(ended.code, 0, ended.stderr);
    const { answer } = JSON.parse(ended.stdout);
    assert.deepEqual(
      [answer.by, answer.via, answer.labels, answer.message],
      ["ana", "mail", ["Yes"], "but tell everybody"],
    );
    for (const person of ["ana", "ben"]) {
      const [asked, settled] = await mailsTo(person, 2);
      assert.ok(asked && settled);
      assert.equal(headerOf(settled, "In-Reply-To"), headerOf(asked, "Message-ID"));
      assert.match(headerOf(settled, "References") ?? "", new RegExp(headerOf(asked, "Message-ID") ?? "-"));
      assert.match(textOf(settled), /ana answered at \d\d:\d\d: Yes/);
      assert.equal(linksOf(settled).length, 0);
    }
    await project.told(id, "mail", "changed");
  });

  also(
    "tells the person who asked what became of it, once, also if the daemon dies before it could",
    async () => {
      const { project, server, mailsTo } = await mailWorld(`[person.carla]\nmail = "carla@example.com"\n`);
      await project.run("daemon", "start");
      const asked = await call(project, "POST", "/decisions", {
        body: question(project, "Ship 1.0?"),
        headers: { "x-oj-user": "carla" },
      });
      const { id } = asked.json<{ id: string }>();
      await mailsTo("ana", 1);
      await project.told(id, "mail");
      server.isDown = true;
      await project.run("decision", "resolve", id, "1");
      const pid = (await project.daemonPid()) ?? assert.fail("no daemon runs");
      process.kill(pid, "SIGKILL");
      await project.until(() => isGone(pid));
      server.isDown = false;
      await project.run("daemon", "start");
      const [outcome] = await mailsTo("carla", 1);
      assert.ok(outcome);
      assert.match(
        textOf(outcome),
        /What became of your question:[\s\S]*Ship 1\.0\?[\s\S]*answered at \d\d:\d\d: yes/,
      );
      assert.equal(linksOf(outcome).length, 0);
      await mailsTo("ana", 2);
      await mailsTo("ben", 2);
      assert.equal(server.mails.filter((it) => it.to.includes("carla@example.com")).length, 1);
    },
  );

  it("is answered by a link, once, by whoever it was sent to; looking at it changes nothing", async () => {
    const { project, mailsTo } = await mailWorld();
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ben", 1);
    assert.ok(mail);
    const [yes = "", no = "", all = ""] = linksOf(mail);
    const looks: Promise<number>[] = [];
    for (let n = 0; n < 100; n++)
      for (const method of ["GET", "HEAD"])
        looks.push(visit(n % 2 ? yes : no, { method }).then((it) => it.status));
    assert.deepEqual(new Set(await Promise.all(looks)), new Set([200]));
    const page = (await visit(yes)).text;
    assert.match(page, /<form method="post"[\s\S]*<button type="submit">Yes<\/button>/);
    assert.match((await visit(all)).text, /type="radio"[\s\S]*Yes[\s\S]*type="radio"[\s\S]*No/);
    assert.equal((await project.show(id)).state, "pending");

    const accept = { accept: "text/html" };
    const answered = await visit(yes, { method: "POST", headers: accept, form: { words: "go" } });
    assert.equal(answered.status, 200);
    const { answer } = await project.show(id);
    assert.deepEqual([answer?.by, answer?.via, answer?.labels], ["ben", "mail", ["Yes"]]);
    const late = await visit(no, { method: "POST", headers: accept });
    assert.equal(late.status, 409);
    assert.match(late.text, /answered: Yes, by ben \(mail\)/);
  });

  also("has links that outlive the daemon and begin with the address that people use", async () => {
    const { project, mailsTo } = await mailWorld(`[web]\nurl = "https://oj.example.com/inbox/"`);
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ana", 1);
    assert.ok(mail);
    const [yes = ""] = linksOf(mail);
    assert.match(yes, /^https:\/\/oj\.example\.com\/inbox\/a\//);
    assert.equal((await project.run("daemon", "restart")).code, 0);
    const { port } = await project.json<{ port: number }>("daemon", "status");
    const here = yes.replace("https://oj.example.com/inbox", `http://127.0.0.1:${port}`);
    assert.equal((await visit(here, { method: "POST" })).status, 200);
    assert.equal((await project.show(id)).state, "resolved");
  });
});

describe("what must not count", () => {
  it("strangers, other people's tokens, machines and bounces change nothing and get nothing", async () => {
    const { project, server, mailsTo, receive } = await mailWorld();
    const id = await project.ask("Ship 1.0?");
    const [[mine], [bens]] = [await mailsTo("ana", 1), await mailsTo("ben", 1)];
    assert.ok(mine && bens);
    await allAre(project, id, "sent");
    const token = headerOf(mine, "Reply-To") ?? "";
    const before = server.mails.length;
    const mails: [name: string, raw: string, env?: Record<string, string>][] = [
      ["a stranger", replyTo(mine, "1", { From: "eve@example.com" })],
      [
        "a name that looks like Ana's address",
        replyTo(mine, "1", { From: '"ana@example.com" <eve@example.com>' }),
      ],
      ["two senders", replyTo(mine, "1", { From: "ana@example.com, ben@example.com" })],
      ["Ana with Ben's token", replyTo(bens, "1")],
      ["a wrong token", replyTo(mine, "1", { To: token.replace(/.{26}@/, `${"a".repeat(26)}@`) })],
      ["no token", replyTo(mine, "1", { To: "oj@example.com" })],
      ["an out-of-office reply", replyTo(mine, "1", { "Auto-Submitted": "auto-replied" })],
      ["a mailing list", replyTo(mine, "1", { Precedence: "list" })],
      ["an empty sender", replyTo(mine, "1"), { SENDER: "" }],
      ["an empty Return-Path", replyTo(mine, "1", { "Return-Path": "<>" })],
      ["a bounce of somebody else's mail", bounceOf({ ...mine, raw: "Message-ID: <x@example.com>\r\n\r\n" })],
      ["a delay", bounceOf(mine, "delayed")],
      ["nothing at all", ""],
    ];
    for (const [name, raw, env] of mails) {
      const { code, stderr } = await receive(raw, env);
      assert.equal(code, 0, `${name}: ${stderr}`);
      assert.match(stderr, /^ignored: /, name);
    }
    const { state, notices } = await project.show(id);
    assert.equal(state, "pending");
    assert.ok(
      notices.every((it) => it.state === "sent"),
      JSON.stringify(notices),
    );
    assert.equal(server.mails.length, before);
  });

  also("a bounce makes the notice failed, and the decision says so", async () => {
    const { project, mailsTo, receive } = await mailWorld();
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ana", 1);
    assert.ok(mail);
    await project.told(id, "mail");
    assert.equal((await receive(bounceOf(mail), { SENDER: "" })).code, 0);
    const failed = await project.until(async () =>
      (await project.show(id)).notices.find((it) => it.state === "failed"),
    );
    assert.match(failed.error ?? "", /came back: 550 5\.1\.1 no such user/);
  });

  also("a reply to what is settled gets a mail back: who, when, what", async () => {
    const { project, mailsTo, receive } = await mailWorld();
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ana", 1);
    assert.ok(mail);
    assert.equal((await project.run("decision", "resolve", id, "2")).code, 0);
    await mailsTo("ana", 2);
    const reply = replyTo(mail, "1", { "Message-ID": "<late@example.com>" });
    assert.match((await receive(reply)).stderr, /^refused: /);
    const [, , back] = await mailsTo("ana", 3);
    assert.ok(back);
    assert.equal(headerOf(back, "In-Reply-To"), "<late@example.com>");
    assert.equal(headerOf(back, "Auto-Submitted"), "auto-replied");
    assert.match(textOf(back), /not taken[\s\S]*ana answered at \d\d:\d\d: No/);
    assert.deepEqual((await project.show(id)).answer?.labels, ["No"]);
  });

  also("without a daemon, a reply is left to the mail server: exit 75", async () => {
    const { project, mailsTo, receive } = await mailWorld();
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ana", 1);
    assert.ok(mail);
    const reply = replyTo(mail, "1");
    assert.equal((await project.run("daemon", "stop")).code, 0);
    assert.equal((await receive(reply)).code, 75);
    assert.equal(await project.daemonPid(), null);
    assert.equal((await project.run("daemon", "start")).code, 0);
    assert.equal((await receive(reply)).code, 0);
    assert.equal((await project.show(id)).state, "resolved");
  });
});

describe("a mail server in trouble", () => {
  it("is asked again after 451 and after a lost response, under the same Message-ID", async () => {
    const { project, server } = await mailWorld();
    server.faults.push({ code: 451, text: "busy" }, "lost");
    const id = await project.ask("Ship 1.0?");
    await allAre(project, id, "sent");
    const ids = server.mails.map((it) => headerOf(it, "Message-ID"));
    assert.deepEqual([ids.length, new Set(ids).size], [3, 2]);
  });

  also("refuses for good: the notice says why, and nobody tries again", async () => {
    const { project, server } = await mailWorld();
    server.faults.push({ code: 550, text: "no such user" }, { code: 550, text: "no such user" });
    const id = await project.ask("Ship 1.0?");
    const { error } = await project.told(id, "mail", "failed");
    assert.match(error ?? "", /no such user/);
    await allAre(project, id, "failed");
    assert.equal(server.tries, 2);
  });
});
