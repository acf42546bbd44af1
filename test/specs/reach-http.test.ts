/** ntfy, Telegram and a webhook through the real daemon: told at once, answered there, rewritten everywhere. */
import assert from "node:assert/strict";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { hookServer } from "../fakes/servers/hook.ts";
import { ntfyServer } from "../fakes/servers/ntfy.ts";
import { telegramServer } from "../fakes/servers/telegram.ts";
import { reachProject } from "./support/reach.ts";

const ANA = 4242;
const TOPIC = "oj-ana-7f3k";
const KEY = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

const OJ = `${process.execPath} ${path.join(import.meta.dirname, "../../dist/oj.cjs")}`;
const ASK = `${OJ} decision request --wait --option Yes --option "No, k1ttenish"`;
const SHIP = `
command "ship" { run = { job = "ship" } }
job "ship" {
  step "a" { run = ${JSON.stringify(`${ASK} --prompt "Is $DEPLOY_PASSWORD right?" --context "or k1ttenish"`)} }
}`;

async function stage(files: Record<string, string> = {}) {
  const [ntfy, telegram, hook] = await Promise.all([ntfyServer(), telegramServer(), hookServer()]);
  onTestFinished(async () => {
    await Promise.all([ntfy.close(), telegram.close(), hook.close()]);
  });
  const config = `
[person.ana]
ntfy = "${TOPIC}"
telegram = "${ANA}"
[person.ben]
telegram = "77"
[channel.ntfy]
url = "${ntfy.url}"
[channel.telegram]
api_url = "${telegram.url}"
bot_token_file = "bot"
[channel.webhook.audit]
url = "${hook.url}"
secret_file = "key"
allow_private = true
[[route]]
notify = ["ana"]
via = ["ntfy", "telegram"]
`;
  const project = await reachProject(config, { bot: telegram.token, key: KEY }, files);
  return { project, ntfy, telegram, hook };
}

describe("ntfy, Telegram and webhooks", () => {
  it("tell at once, take an answer from Telegram, and say so everywhere", async () => {
    const { project, ntfy, telegram, hook } = await stage();
    const id = await project.ask("Deploy with --token abc123def456?");
    await project.told(id, "ntfy");
    await project.told(id, "telegram");
    await project.told(id, "webhook");
    assert.match(telegram.messages[0]?.text ?? "", /Deploy with --token \[redacted value\]/);
    assert.ok(!JSON.stringify([ntfy.published, telegram.messages, hook.got]).includes("abc123def456"));
    assert.match((await project.show(id)).title, /abc123def456/);

    const stranger = telegram.press(666, `${id}:1`);
    const other = telegram.press(77, `${id}:1`);
    await project.until(() => telegram.alerts.has(stranger) && telegram.alerts.has(other));
    assert.match(telegram.alerts.get(stranger) ?? "", /not in the list/);
    assert.match(telegram.alerts.get(other) ?? "", /This one is for ana/);
    assert.equal((await project.show(id)).state, "pending");

    telegram.press(ANA, telegram.messages[0]?.buttons[1]?.callback_data ?? "");
    const settled = await project.until(async () => {
      const now = await project.show(id);
      return now.answer && now;
    });
    assert.deepEqual([settled.answer?.by, settled.answer?.via], ["ana", "telegram"]);
    assert.deepEqual(settled.answer?.labels, ["No"]);
    await project.until(() => /Answered by ana: No/.test(telegram.messages[0]?.text ?? ""));
    assert.deepEqual(telegram.messages[0]?.buttons, []);
    await project.until(() => ntfy.published.length > 1 && ntfy.shown(TOPIC).length === 0);
    assert.match(ntfy.published.at(-1)?.message ?? "", /Answered by ana: No/);
    await project.until(() => hook.got.length >= 2);
    const events = hook.got.map(({ body, headers }) => new Webhook(KEY).verify(body, headers));
    assert.deepEqual(
      events.map((it) => (it as { type: string }).type),
      ["decision.created", "decision.settled"],
    );
  });

  it("take out a secret of the job's environment, wherever it stands", async () => {
    const { project, ntfy, telegram, hook } = await stage({ ".oj/runbooks/ship.hcl": SHIP });
    await project.run("daemon", "start"); // it never had them
    Object.assign(project.env, { DEPLOY_PASSWORD: "tr0ubadour", STORE_URL: "pg://ana:k1ttenish@db/shop" });
    await project.json("run", "ship");
    const { id } = await project.until(
      async () => (await project.json<{ id: string }[]>("decision", "list"))[0],
      "a question",
    );
    for (const kind of ["ntfy", "telegram", "webhook"]) await project.told(id, kind);
    const out = () => JSON.stringify([ntfy.published, telegram.messages, telegram.calls, hook.got]);
    const [message = assert.fail("nothing was sent")] = telegram.messages;
    assert.match(message.text, /Is \[redacted secret\] right\?[\s\S]*or \[redacted secret\]/);
    assert.ok(message.buttons.some((it) => it.text === "No, [redacted secret]"));
    const first = telegram.press(ANA, message.buttons[1]?.callback_data ?? "");
    await project.until(async () => (await project.show(id)).answer !== null, "the answer");
    const late = telegram.press(ANA, `${id}:1`);
    await project.until(() => telegram.alerts.has(first) && telegram.alerts.has(late), "both are told");
    assert.match(telegram.alerts.get(late) ?? "", /^ana answered at .*: No, \[redacted secret\]/);
    await project.until(() => /Answered by ana: No, \[redacted/.test(message.text), "the message says so");
    await project.until(() => hook.got.length >= 2, "both events");
    assert.doesNotMatch(out(), /tr0ubadour|k1ttenish|"no-/);
    assert.match(out(), /"key":"option-2"|\\"key\\":\\"option-2/);
    const { title, answer } = await project.show(id);
    assert.match(title, /tr0ubadour/);
    assert.deepEqual(answer?.labels, ["No, k1ttenish"]);
  });

  also("takes a tap on ntfy once; the second changes nothing", async () => {
    const { project, ntfy, telegram } = await stage();
    const id = await project.ask("Ship it?");
    await project.told(id, "ntfy");
    const [message] = ntfy.shown(TOPIC);
    assert.ok(message);
    assert.equal(await ntfy.tap(message, "Yes"), 200);
    assert.equal(await ntfy.tap(message, "No"), 409);
    assert.equal(await ntfy.tap(message, "Yes"), 409);
    const { answer } = await project.show(id);
    assert.deepEqual([answer?.by, answer?.via, answer?.labels], ["ana", "ntfy", ["Yes"]]);
    await project.until(() => /Answered by ana: Yes/.test(telegram.messages[0]?.text ?? ""));
  });
});
