/** Telegram with two machines that have the same bot: it tells one program at a time what people do. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import type { TelegramServer } from "../fakes/servers/telegram.ts";
import { telegramServer } from "../fakes/servers/telegram.ts";
import type { ReachProject } from "../specs/support/reach.ts";
import { reachProject } from "../specs/support/reach.ts";
import { approval, kill, pidOf, sharedServer, up, whyNot } from "./support.ts";

const ANA = 4242;
const server = sharedServer();
/** Both machines may receive it before either confirms; the second one says who has answered. */
const TAKEN = /^(ana answered at \d\d:\d\d: (Yes|No)\.)?$/;

async function team(): Promise<{ telegram: TelegramServer; machines: ReachProject[] }> {
  const telegram = await telegramServer();
  onTestFinished(() => telegram.close());
  const url = await server().database();
  const config = `
[person.ana]
telegram = "${ANA}"
[channel.telegram]
bot_token_file = "bot"
api_url = "${telegram.url}"
[[route]]
notify = ["ana"]
via = ["telegram"]
`;
  const machines: ReachProject[] = [];
  for (const name of ["anvil", "bellows"]) {
    const env = { OJ_STORE_URL: url, OJ_MACHINE: name };
    const project = await reachProject(config, { bot: telegram.token }, {}, { env });
    await up(project);
    machines.push(project);
  }
  return { telegram, machines };
}

const about = ({ messages }: TelegramServer, id: string) => messages.filter((it) => it.text.includes(id));

describe.skipIf(whyNot !== null)("Telegram with two machines", () => {
  it("takes each press and each reply once, whichever machine is told of it", async () => {
    const { telegram, machines } = await team();
    for (let n = 0; n < 6; n++) {
      const home = machines[Math.floor(n / 2) % 2] as ReachProject;
      const id = await home.ask(`Number ${n}?`);
      await home.told(id, "telegram");
      const [message = assert.fail("nothing was sent")] = about(telegram, id);
      const press = n % 3 < 2 ? telegram.press(ANA, message.buttons[n % 2]?.callback_data ?? "") : null;
      if (press === null) telegram.write(ANA, `${(n % 2) + 1}`, message);
      await home.until(async () => (await home.show(id)).state !== "pending", `an answer to number ${n}`);
      assert.deepEqual((await home.show(id)).answer?.labels, [n % 2 === 0 ? "Yes" : "No"]);
      await home.until(() => /Answered by ana/.test(message.text), "the message says so");
      if (press === null) continue;
      await home.until(() => telegram.alerts.has(press), "the press is told");
      assert.match(telegram.alerts.get(press) ?? "no", TAKEN);
    }
    const replies = telegram.messages.filter((it) => it.replyTo !== null);
    assert.equal(telegram.messages.length - replies.length, 6);
    for (const { text } of replies) assert.match(text, TAKEN);
  });

  it("approves nothing by a reply that another machine hears, which can't know what the message left out", async () => {
    const { telegram, machines } = await team();
    const [anvil, bellows] = machines as [ReachProject, ReachProject];
    const id = await approval(anvil);
    await anvil.told(id, "telegram");
    const [message = assert.fail("nothing was sent")] = about(telegram, id);
    await kill(anvil, await pidOf(anvil)); // it would hear what it sent itself, and knows what that left out
    telegram.write(ANA, "1", message);
    const said = () => telegram.messages.find((it) => it.replyTo !== null)?.text;
    await bellows.until(() => said() !== undefined, "what she is told");
    assert.match(said() ?? "", /does not show all of it/);
    assert.equal((await bellows.show(id)).state, "pending");
    telegram.press(ANA, message.buttons[0]?.callback_data ?? ""); // which is there because it was all shown
    await bellows.until(async () => (await bellows.show(id)).answer?.by === "ana", "her approval");
  });
});
