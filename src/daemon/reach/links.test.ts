import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { decision } from "../../../test/fakes/fake-client.ts";
import type { FakeDoor } from "../../../test/fakes/fake-door.ts";
import { answered, fakeDoor } from "../../../test/fakes/fake-door.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import type { DecisionView } from "../../api/api.ts";
import type { Reply } from "../http/public-door.ts";
import type { Link } from "./link-token.ts";
import type { Links } from "./links.ts";
import { startLinks } from "./links.ts";

const approval = decision({
  source: "approval",
  title: "Run rm -rf build?",
  action: { tool: "Bash", input: { command: "rm -rf build" }, sha256: "ab".repeat(32) },
  options: [
    { key: "approve", label: "Approve" },
    { key: "deny", label: "Deny", acts: false },
  ],
});
const toApprove: Link = { decision: approval.id, person: "ana", via: "mail", option: "approve" };

async function setup(...decisions: DecisionView[]) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-links-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  const ports = fakePorts();
  const door = fakeDoor(decisions.length > 0 ? decisions : [approval]);
  const start = () => startLinks({ dir, base: () => "https://oj.example.com/inbox/", door }, ports);
  return { dir, door, start, links: await start() };
}

function visit(links: Links, url: string, input: { method?: string; body?: string; accept?: string } = {}) {
  const { method = "GET", body = "", accept = "text/html" } = input;
  const at = new URL(url).pathname.replace(/^\/inbox/, "");
  return links.door.visit({
    method,
    path: at,
    query: new URLSearchParams(),
    headers: { accept },
    body: Buffer.from(body),
  });
}

const post = (links: Links, url: string, body = "", accept = "text/html") =>
  visit(links, url, { method: "POST", body, accept });

const isUntouched = (door: FakeDoor) => assert.deepEqual(door.answers, []);

it("begins with the address that people use, and is the same every time", async () => {
  const { links } = await setup();
  assert.match(links.to(toApprove), /^https:\/\/oj\.example\.com\/inbox\/a\/[\w-]+\.[a-z2-7]{26}$/);
  assert.equal(links.to(toApprove), links.to({ ...toApprove }));
});

it("shows the whole decision and one button, and nothing that could run", async () => {
  const { door, links } = await setup();
  const { status, headers, body } = await visit(links, links.to(toApprove));
  assert.equal(status, 200);
  assert.match(body, /rm -rf build<\/code>/);
  assert.equal(body.match(/<button/g)?.length, 1);
  assert.match(body, /<button type="submit">Approve<\/button>/);
  assert.match(headers?.["content-security-policy"] ?? "", /default-src 'none'.*form-action 'self'/);
  assert.doesNotMatch(body, /<script|<img|<link|javascript:| on\w+=/i);
  isUntouched(door);
});

/** Ten thousand in `npm run test:long`. */
const LOOKS = Number(process.env.OJ_LOOKS ?? 1000);

it(`is changed by nobody who only looks, ${LOOKS} times`, async () => {
  const { door, links } = await setup();
  const url = links.to(toApprove);
  for (let n = 0; n < LOOKS / 2; n++)
    for (const method of ["GET", "HEAD"]) assert.equal((await visit(links, url, { method })).status, 200);
  isUntouched(door);
  assert.equal((await post(links, url)).status, 200);
});

it("answers for its person, by its channel, with its option and the words", async () => {
  const { door, links } = await setup();
  const { status, body } = await post(
    links,
    links.to(toApprove),
    "words=only+this+once&choice=2&instead=deny",
  );
  assert.equal(status, 200);
  assert.match(body, /your answer was taken/);
  assert.deepEqual(door.answers, [
    {
      id: approval.id,
      person: "ana",
      via: "mail",
      choices: [[1]],
      option: null,
      text: null,
      texts: [],
      message: "only this once",
      sawAll: true,
    },
  ]);
});

it("works once: after that it says who answered, when and what", async () => {
  const { door, links } = await setup();
  const url = links.to(toApprove);
  await post(links, url);
  const second = await post(links, url);
  assert.equal(second.status, 409);
  const look = await visit(links, url);
  assert.equal(look.status, 200);
  for (const { body } of [second, look]) {
    assert.match(body, /answered: Approve, by ana \(mail\)/);
    assert.match(body, /2026-07-30/);
    assert.doesNotMatch(body, /<form/);
  }
  assert.equal(door.answers.length, 1);
});

it("does not work a second time when its answer was taken back, also after a restart", async () => {
  const { door, start, links } = await setup();
  const url = links.to(toApprove);
  door.holds = true;
  await post(links, url);
  door.all.set(approval.id, approval);
  for (const now of [links, await start()]) {
    assert.equal((await post(now, url)).status, 409);
    assert.match((await visit(now, url)).body, /This link was used/);
  }
  assert.equal(door.answers.length, 1);
});

it("is good after a restart, and its key is for nobody else", async () => {
  const { dir, door, start, links } = await setup();
  const url = links.to(toApprove);
  assert.equal((await post(await start(), url)).status, 200);
  assert.equal(door.answers.length, 1);
  assert.equal(fs.statSync(path.join(dir, "link-key")).mode & 0o777, 0o600);
});

it("has no key before the first link, whoever comes along with a token", async () => {
  const { dir, links } = await setup();
  assert.equal((await visit(links, "https://x/a/abc.def")).status, 404);
  assert.equal(fs.existsSync(path.join(dir, "link-key")), false);
  assert.equal((await visit(links, links.to(toApprove))).status, 200);
  assert.equal(fs.readFileSync(path.join(dir, "link-key")).length, 32);
});

it("is bound to decision, person, channel and option: nothing of it can be exchanged", async () => {
  const other = decision({ id: "dec-0000000000" });
  const { door, links } = await setup(approval, other);
  const [mine = "", mac = ""] = links.to(toApprove).split("/a/")[1]?.split(".") ?? [];
  const forged = (link: Link) =>
    Buffer.from(JSON.stringify([link.decision, link.person, link.via, link.option])).toString("base64url");
  const tokens = [
    `${forged({ ...toApprove, decision: other.id })}.${mac}`,
    `${forged({ ...toApprove, person: "ben" })}.${mac}`,
    `${forged({ ...toApprove, via: "slack" })}.${mac}`,
    `${forged({ ...toApprove, option: "deny" })}.${mac}`,
    `${forged({ ...toApprove, option: null })}.${mac}`,
    `${mine}.${mac.slice(1)}`,
    `${mine}.${mac}.`,
    `${mine}.`,
    mine,
    "",
    "..",
    "%00.%00",
  ];
  for (const token of tokens)
    for (const method of ["GET", "HEAD", "POST"])
      assert.equal((await visit(links, `https://x/a/${token}`, { method })).status, 404, token);
  isUntouched(door);
});

it("asks again with what was typed when the answer can't be taken yet", async () => {
  const { door, links } = await setup();
  door.refuses = '"Deny" needs a reason';
  const { status, body } = await post(
    links,
    links.to({ ...toApprove, option: null }),
    "choice=2&words=%3Cb%3E",
  );
  assert.equal(status, 422);
  assert.match(body, /role="alert"><p>&quot;Deny&quot; needs a reason/);
  assert.match(body, /value="2" checked/);
  assert.match(body, /&lt;b&gt;<\/textarea>/);
});

it("tells a program in JSON what came of it", async () => {
  const { links } = await setup();
  const url = links.to({ ...toApprove, via: "ntfy" });
  const read = ({ status, headers, body }: Reply) => [
    status,
    headers?.["content-type"],
    JSON.parse(body).answered,
  ];
  assert.deepEqual(read(await post(links, url, "tapped", "*/*")), [200, "application/json", true]);
  const late = await post(links, url, "tapped", "*/*");
  assert.deepEqual(read(late), [409, "application/json", false]);
  assert.match(JSON.parse(late.body).message, /answered: Approve, by ana/);
  assert.equal((await post(links, `${url}x`, "", "*/*")).status, 404);
});

it("tells whoever comes too late who was faster", async () => {
  const { door, links } = await setup();
  door.all.set(approval.id, answered(approval, { person: "ben", option: "deny", via: "slack" }));
  const { status, body } = await post(links, links.to(toApprove));
  assert.equal(status, 409);
  assert.match(body, /not taken/);
  assert.match(body, /answered: Deny, by ben \(slack\)/);
});

it("takes one of several options, several of one question, and answers to several questions", async () => {
  const options = (...labels: string[]) => labels.map((label) => ({ label, description: null }));
  const pick = (multi_select: boolean, ...labels: string[]) => ({
    question: `Which of ${labels.join(", ")}?`,
    header: null,
    multi_select,
    options: options(...labels),
  });
  const multi = decision({
    id: "dec-1111111111",
    source: "question",
    questions: [pick(true, "a", "b", "c")],
    options: [{ label: "a" }, { label: "b" }, { label: "c" }, { key: "other", label: "Other" }],
  });
  const several = decision({
    id: "dec-2222222222",
    source: "question",
    questions: [pick(false, "a", "b"), pick(true, "x", "y")],
    options: [{ key: "cancel", label: "Cancel" }],
  });
  const { door, links } = await setup(multi, several, approval);
  const to = (id: string) => links.to({ decision: id, person: "ana", via: "mail", option: null });
  assert.match((await visit(links, to(multi.id))).body, /type="checkbox" name="choice" value="3"/);
  await post(links, to(multi.id), "choice=1&choice=3");
  const page = (await visit(links, to(several.id))).body;
  assert.match(page, /type="radio" name="choice0" value="2"/);
  assert.match(page, /type="checkbox" name="choice1" value="3"/);
  assert.match(page, /name="instead" value="" checked/);
  await post(links, to(several.id), "instead=&choice0=2&choice1=1&choice1=3&words1=z%0D%0Azz&words0=unused");
  await post(links, to(approval.id), "choice=2");
  assert.deepEqual(
    door.answers.map(({ choices, texts, option }) => [choices, texts, option]),
    [
      [[[1, 3]], [], null],
      [[[2], [1, 3]], [null, "z\nzz"], null],
      [[[2]], [], null],
    ],
  );
});

const RULE = {
  name: "npm test",
  text: 'policy "npm test" {\n}\n',
  hash: "ab".repeat(32),
  asker: "job fix/cart",
  file: "/home/ana/shop/.oj/runbooks/remembered.hcl",
  problem: null as string | null,
};

/** Where the button under the rule goes. */
const ruleForm = (links: Links, body: string) => {
  const [, token] = /action="([^"]+)">\s*<h2 id="remember">Remember this/.exec(body) ?? [];
  return token === undefined ? null : links.to(toApprove).replace(/[^/]+$/, token);
};

it("offers a rule where there is one, all of it above its button, and else says why there is none", async () => {
  const { door, links } = await setup();
  for (const option of ["approve", null, "deny"]) {
    const url = links.to({ ...toApprove, option });
    const bare = await visit(links, url);
    assert.equal(ruleForm(links, bare.body), null, "what can't be remembered isn't offered");
    assert.equal(/It can&#39;t become a rule: this deploys/.test(bare.body), option !== "deny", bare.body);
    door.rules.set(approval.id, RULE);
    const { body } = await visit(links, url);
    door.rules.clear();
    assert.equal(ruleForm(links, body) !== null, option !== "deny", `${option}`);
    if (option === "deny") continue;
    assert.ok(body.indexOf("policy &quot;npm test&quot;") < body.indexOf("Approve, and remember it"), body);
    assert.match(body, /until job fix\/cart ends/);
    assert.match(body, /value="project" required>\s*<span>Always in this project/);
    assert.doesNotMatch(body, /name="scope"[^>]*checked/, "nothing is chosen until somebody does");
    assert.match(body, /answered 3 of 8, agreed 3, disagreed 0/, "tried on history");
    assert.doesNotMatch(body, /home\/ana/);
  }
  isUntouched(door);
});

it.each(["job", "project"])(
  "remembers for the %s, once, for its person, and after a restart",
  async (scope) => {
    const { door, links, start } = await setup();
    door.rules.set(approval.id, RULE);
    const url = ruleForm(links, (await visit(links, links.to(toApprove))).body) ?? assert.fail();
    assert.equal((await visit(links, url)).status, 200);
    assert.deepEqual(door.remembered, [], "looking remembers nothing");
    const later = await start();
    for (const body of ["", "scope=", "scope=always", "scope=job&scope=project", "choice=1"]) {
      const asked = await post(later, url, body);
      assert.deepEqual([asked.status, /Choose how long/.test(asked.body)], [422, true], body);
    }
    assert.equal((await post(later, url, `scope=${scope}`)).status, 200);
    assert.equal((await post(later, url, `scope=${scope}`)).status, 409);
    const { hash } = RULE;
    assert.deepEqual(door.remembered, [{ id: approval.id, person: "ana", via: "mail", hash, scope }]);
    isUntouched(door);
  },
);

it("does not remember another rule than the one that was shown, nor one with a secret in it", async () => {
  const { door, links } = await setup();
  door.rules.set(approval.id, RULE);
  const url = ruleForm(links, (await visit(links, links.to(toApprove))).body) ?? assert.fail();
  door.rules.set(approval.id, { ...RULE, hash: "cd".repeat(32) });
  const { status, body } = await post(links, url, "scope=job");
  assert.equal(status, 422);
  assert.match(body, /not the rule/);
  assert.notEqual(ruleForm(links, body), null, "the page shows the one of now");
  assert.equal(
    (
      await post(
        links,
        url.replace(/.$/, (it) => (it === "a" ? "b" : "a")),
      )
    ).status,
    404,
  );
  assert.deepEqual(door.remembered, []);
  const secret = 'command = "curl --token abc123def456ghi789"';
  door.rules.set(approval.id, { ...RULE, text: secret });
  const hidden = (await visit(links, links.to(toApprove))).body;
  assert.equal(ruleForm(links, hidden), null);
  assert.doesNotMatch(hidden, /abc123def456ghi789/);
});

it("leaves out what can't be chosen now, and says why", async () => {
  const { door, links } = await setup();
  door.rules.set(approval.id, { ...RULE, problem: "remembered.hcl says something that nobody has accepted" });
  const { body } = await visit(links, links.to(toApprove));
  assert.notEqual(ruleForm(links, body), null);
  assert.doesNotMatch(body, /value="project"/);
  assert.match(body, /Always in this project: not now, remembered\.hcl says something/);
});
