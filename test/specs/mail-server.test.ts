/** Replies on their real way: a mail server takes them over SMTP and pipes them into `oj mail receive`. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createTransport } from "nodemailer";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import type { TakenMail } from "../fakes/servers/mail.ts";
import { replyTo } from "../fakes/servers/mail.ts";
import { NOBODY, openSmtpd, whyNoOpenSmtpd } from "../fakes/servers/opensmtpd.ts";
import { mailWorld } from "./support/mail.ts";
import { OJ } from "./support/project.ts";

const why = whyNoOpenSmtpd() ?? whyNotAsNobody();
if (why !== null) process.stderr.write(`mail-server.test.ts is skipped: ${why}\n`);

/** Mail servers pipe nothing as root, so all of oj has to run as somebody else here. */
function whyNotAsNobody(): string | null {
  const { status } = spawnSync(process.execPath, [OJ, "--version"], { cwd: "/", env: {}, ...NOBODY });
  return status === 0 ? null : "nobody but root can run oj from this folder";
}

async function start() {
  const world = await mailWorld("", "", { user: NOBODY });
  const { project } = world;
  const dir = fs.mkdtempSync("/tmp/oj-smtpd-");
  fs.chmodSync(dir, 0o755);
  const pipe = path.join(dir, "pipe");
  const env = Object.entries(project.env).map(([name, value]) => `export ${name}='${value}'`);
  fs.writeFileSync(pipe, `#!/bin/sh\n${env.join("\n")}\nexec ${process.execPath} ${OJ} mail receive\n`, {
    mode: 0o755,
  });
  const server = await openSmtpd(dir, pipe);
  onTestFinished(async () => {
    await server.close();
    fs.rmSync(dir, { recursive: true, force: true });
  });
  const smtp = createTransport({ host: "127.0.0.1", port: server.port, ignoreTLS: true });
  onTestFinished(() => smtp.close());
  /** As a mail program hands it to the server. */
  const send = (raw: string, from = "ana@example.com") => {
    const [, to = ""] = /^To: .*?([^\s<>]+@[^\s<>]+)/m.exec(raw) ?? [];
    return smtp.sendMail({ envelope: { from, to: [to] }, raw });
  };
  const delivered = (count: number) =>
    project.until(
      () => server.log().split("result=Ok").length > count,
      `${count} mails piped: ${server.log()}`,
    );
  return { ...world, server, send, delivered };
}

const plain = (mail: TakenMail, text: string, from?: string) =>
  replyTo(mail, text, { "Return-Path": null, ...(from === undefined ? {} : { From: from }) });

describe.skipIf(why !== null)("a reply through a real mail server", () => {
  it("answers; one that is not from whom it was sent to does not, and neither comes back", async () => {
    const { project, mailsTo, send, delivered, server } = await start();
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ana", 1);
    assert.ok(mail);
    await send(plain(mail, "1", "Eve <eve@example.com>"), "eve@example.com");
    await delivered(1);
    assert.equal((await project.show(id)).state, "pending");
    await send(plain(mail, "2 not today"));
    await delivered(2);
    const { state, answer } = await project.show(id);
    assert.deepEqual([state, answer?.by, answer?.via, answer?.labels], ["resolved", "ana", "mail", ["No"]]);
    assert.equal(server.queued(), 0);
  });

  also("stays with the mail server while no daemon runs, and answers later", async () => {
    const { project, mailsTo, send, server } = await start();
    const id = await project.ask("Ship 1.0?");
    const [mail] = await mailsTo("ana", 1);
    assert.ok(mail);
    assert.equal((await project.run("daemon", "stop")).code, 0);
    await send(plain(mail, "1"));
    await project.until(() => server.log().includes("result=TempFail"), "the server keeps it");
    assert.equal(server.queued(), 1);
    assert.equal((await project.run("daemon", "start")).code, 0);
    server.flush();
    await project.until(async () => (await project.show(id)).state === "resolved");
    await project.until(() => server.queued() === 0, "the server is rid of it");
  });
});
