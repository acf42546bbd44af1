/** Answers that race through a chat, the command line's door and a stranger's hands: one wins, the rest are told. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { telegramServer } from "../fakes/servers/telegram.ts";
import { call } from "./support/http.ts";
import { reachProject } from "./support/reach.ts";

const [ANA, BEN, STRANGER] = [11, 22, 33];
const EACH = 16;

describe("sixty-four racing answers", () => {
  it("have one winner; everybody else is told who it was, or that it is not for them", async () => {
    const telegram = await telegramServer();
    onTestFinished(() => telegram.close());
    const config = `
[person.ana]
telegram = "${ANA}"
[person.ben]
telegram = "${BEN}"
[channel.telegram]
api_url = "${telegram.url}"
bot_token_file = "bot"
[[route]]
notify = ["ana", "ben"]
via = ["telegram"]
`;
    const project = await reachProject(config, { bot: telegram.token });
    const id = await project.ask("Ship it?");
    await project.told(id, "telegram");
    await project.until(() => telegram.messages.length === 2);
    const data = (option: number) => telegram.messages[0]?.buttons[option]?.callback_data ?? "";

    const presses: { from: number; press: string }[] = [];
    const calls: ReturnType<typeof call>[] = [];
    for (let n = 0; n < EACH; n++) {
      for (const from of [ANA, BEN, STRANGER])
        presses.push({ from, press: telegram.press(from, data(n % 2)) });
      const body = { choices: [[1 + (n % 2)]] };
      calls.push(
        call(project, "POST", `/decisions/${id}/resolve`, { body, headers: { "x-oj-user": "cara" } }),
      );
    }
    const replies = await Promise.all(calls);
    await project.until(() => presses.every(({ press }) => telegram.alerts.has(press)));
    const { answer, state } = await project.show(id);
    assert.equal(state, "resolved");
    const won = replies.filter((it) => it.status === 200).length;
    for (const it of replies) assert.ok(it.status === 200 || it.status === 409, it.text);
    const late = presses.filter(({ press }) =>
      / answered at \d\d:\d\d: (Yes|No)\./.test(telegram.alerts.get(press) ?? ""),
    );
    for (const { press, from } of presses)
      if (from === STRANGER) assert.match(telegram.alerts.get(press) ?? "", /not in the list/);
    assert.equal(late.length + won, answer?.via === "telegram" ? 2 * EACH - 1 : 2 * EACH + 1);
    for (const { press } of late) assert.ok(telegram.alerts.get(press)?.startsWith(`${answer?.by} answered`));
    await project.until(() => telegram.messages.every((it) => it.buttons.length === 0));
    for (const { text } of telegram.messages) assert.match(text, new RegExp(`Answered by ${answer?.by}`));
  });
});
