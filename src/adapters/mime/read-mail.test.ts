import assert from "node:assert/strict";
import { it } from "vitest";
import { htmlText } from "./html-text.ts";
import { readMail } from "./read-mail.ts";

const read = (text: string) => readMail(Buffer.from(text.replaceAll("\n", "\r\n")));

const REPLY = `Return-Path: <ana@example.com>
Delivered-To: oj+tok@example.com
From: "ben@example.com" <Ana@Example.com>
To: Oddjobs <oj+tok@example.com>, x@example.com
Subject: =?utf-8?Q?Re=3A_Ship_1=2E0=3F?=
Message-ID: <reply@example.com>
In-Reply-To: <dec-1.n1@example.com>
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

1 sch=C3=B6n
`;

it("reads who wrote to whom, and what", async () => {
  assert.deepEqual(await read(REPLY), {
    from: ["ana@example.com"],
    to: ["oj+tok@example.com", "oj+tok@example.com", "x@example.com"],
    return_path: "ana@example.com",
    subject: "Re: Ship 1.0?",
    message_id: "<reply@example.com>",
    references: ["<dec-1.n1@example.com>"],
    text: "1 schön\n",
    is_automatic: false,
    report: null,
  });
});

it("counts every From: whoever writes two is nobody in particular", async () => {
  assert.deepEqual((await read(`From: eve@example.com\n${REPLY}`))?.from, [
    "eve@example.com",
    "ana@example.com",
  ]);
  assert.deepEqual((await read("From: eve@example.com, ana@example.com\n\n1"))?.from.length, 2);
});

it("knows what machines write", async () => {
  const isAutomatic = async (header: string) => (await read(`${header}\n${REPLY}`))?.is_automatic;
  for (const header of [
    "Auto-Submitted: auto-replied (vacation)",
    "Auto-Submitted: auto-generated",
    "Precedence: bulk",
    "X-Autoreply: yes",
    "List-Id: <all.example.com>",
    "Subject: Automatic reply: Ship 1.0?",
  ])
    assert.equal(await isAutomatic(header), true, header);
  assert.equal(await isAutomatic("Auto-Submitted: no"), false);
});

it("reads what a server reports about a mail of ours", async () => {
  const report = `Return-Path: <>
From: MAILER-DAEMON@mx.example.com
To: oj@example.com
Subject: Undelivered Mail
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ana@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such
 user

--b
Content-Type: message/rfc822

From: oj@example.com
Message-ID:
 <dec-1.n1.asked.sig@example.com>

Ship it?
--b--
`;
  const mail = await read(report);
  assert.equal(mail?.return_path, "");
  assert.deepEqual(mail?.report, {
    message_ids: ["<dec-1.n1.asked.sig@example.com>"],
    action: "failed",
    reason: "550 5.1.1 no such user",
  });
});

it("takes the text out of HTML, without what is quoted, and without running anything", async () => {
  const html = `<html><head><style>p { color: red }</style></head><body><div>2&nbsp;not &lt;yet&gt;</div><script>hit()</script>
<p>see<br>you</p><div class="gmail_quote gmail_quote_container"><div>On Mon wrote:</div><blockquote>1 <div>x</div></blockquote></div></body></html>`;
  assert.equal(htmlText(html).replace(/\n+/g, "\n"), "2 not <yet>\nsee\nyou");
  assert.equal((await read(`From: a@b.c\nContent-Type: text/html\n\n<p>1</p>`))?.text, "1");
  for (const odd of [
    "<",
    "<<<",
    "<!--",
    "&#xffffffff;&#0;&bogus;",
    "</div></div>",
    "<blockquote>".repeat(50_000),
  ])
    htmlText(odd);
});

it("reads anything without failing", async () => {
  for (const odd of [
    "",
    "\n",
    "x",
    "From:\n\n",
    `Content-Type: multipart/mixed; boundary=b\n\n${"--b\n".repeat(5000)}`,
  ])
    await read(odd);
  assert.equal(await read(`X: ${"x".repeat(300_000)}\n\n1`), null);
});
