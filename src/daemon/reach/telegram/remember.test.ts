import assert from "node:assert/strict";
import { it } from "vitest";
import { decision } from "../../../../test/fakes/fake-client.ts";
import { fakeDoor, person } from "../../../../test/fakes/fake-door.ts";
import type { TelegramMessage } from "../../../channels/telegram/message.ts";
import { readUpdate } from "../../../channels/telegram/update.ts";
import { rememberingIn } from "./remember.ts";

const HASH = "0f".repeat(32);
const RULE = {
  name: "npm test",
  text: 'policy "npm test" {\n}\n',
  hash: HASH,
  asker: "job fix/cart",
  file: "/home/ana/shop/.oj/runbooks/remembered.hcl",
  problem: null,
};

function stage(command = "npm test") {
  const view = decision({
    source: "approval",
    action: { tool: "Bash", input: { command }, sha256: "ab".repeat(32) },
    options: [
      { key: "approve", label: "Approve" },
      { key: "deny", label: "Deny", acts: false },
    ],
  } as never);
  const door = fakeDoor([view], [person("ana", { telegram: "4242" })]);
  const sent: TelegramMessage[] = [];
  const edited: TelegramMessage[] = [];
  const rules = rememberingIn({
    door,
    send: async (_, message) => void sent.push(message),
    edit: async (_, __, message) => void edited.push(message),
    page: () => "https://oj.example.com/a/token",
  });
  const press = (data: string) => {
    const pressed = { id: "q", from: { id: 4242 }, data, message: { message_id: 7 } };
    const came = readUpdate({ update_id: 1, callback_query: pressed });
    if (came?.type === "remember") return rules.show(came, "ana");
    return came?.type === "accept" ? rules.accept(came, "ana") : assert.fail(`${data} is nothing`);
  };
  const show = async () => {
    assert.equal(await press(`${view.id}:remember`), null);
    return sent.at(-1) ?? assert.fail("nothing was sent");
  };
  return { view, door, sent, edited, press, show };
}
const buttons = (message: TelegramMessage) =>
  message.reply_markup.inline_keyboard.flat() as { text: string; callback_data?: string; url?: string }[];

for (const [label, scope] of [
  ["For this job", "job"],
  ["Always in this project", "project"],
] as const)
  it(`shows the whole rule first, and accepts that very one with a second tap: ${label}`, async () => {
    const { view, door, edited, press, show } = stage();
    door.rules.set(view.id, RULE);
    const message = await show();
    assert.match(message.text, /policy "npm test" \{\n\}/);
    assert.match(message.text, /answered 3 of 8/);
    assert.deepEqual(door.remembered, [], "looking remembers nothing");
    const button = buttons(message).find((it) => it.text === label) ?? assert.fail();
    assert.ok(Buffer.byteLength(button.callback_data ?? "") <= 64, "as Telegram carries it");
    assert.equal(await press(button.callback_data ?? ""), null);
    assert.deepEqual(door.remembered, [{ id: view.id, person: "ana", via: "telegram", hash: HASH, scope }]);
    assert.deepEqual(buttons(edited[0] ?? assert.fail()), []);
    assert.match((await press(button.callback_data ?? "")) ?? "", /ben answered this/);
    assert.equal(door.remembered.length, 1);
  });

it("accepts no other rule than the one that was shown", async () => {
  const { view, door, press, show } = stage();
  door.rules.set(view.id, RULE);
  const [button] = buttons(await show());
  door.rules.set(view.id, { ...RULE, hash: "cd".repeat(32) });
  assert.match((await press(button?.callback_data ?? "")) ?? "", /not the rule/);
  assert.deepEqual(door.remembered, []);
});

it("leads to the page where a message can't show all of the rule, and says why there is none", async () => {
  const { view, door, show } = stage();
  assert.match((await show()).text, /It can't become a rule: this deploys/);
  for (const text of ["x".repeat(2600), 'command = "curl --token abc123def456ghi789"']) {
    door.rules.set(view.id, { ...RULE, text });
    const message = await show();
    assert.deepEqual(buttons(message), [{ text: "Open", url: "https://oj.example.com/a/token" }]);
    assert.doesNotMatch(message.text, /abc123|xxx/);
  }
});

it("shows no rule for a call that the message did not show whole", async () => {
  const { view, door, sent, press } = stage(`npm run ${"x".repeat(5000)}`);
  door.rules.set(view.id, RULE);
  assert.match((await press(`${view.id}:remember`)) ?? "", /does not show all of it/);
  assert.deepEqual(sent, []);
});
