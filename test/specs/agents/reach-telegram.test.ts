/** An agent that waits, and a person who answers in Telegram. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { telegramServer } from "../../fakes/servers/telegram.ts";
import { agentStage } from "../support/agents.ts";
import type { Project } from "../support/project.ts";

const ANA = 4242;

async function stage(command: string) {
  const telegram = await telegramServer();
  onTestFinished(() => telegram.close());
  const asks = { tool: "Bash", input: { command, description: "Deploy" }, result: "deployed" };
  const scenario = { turns: [[{ ...asks, denied: [{ signal: "done" }] }, { signal: "done" }]] };
  const before = ({ home }: Project) => {
    const dir = path.join(home, ".config/oj");
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, "bot"), telegram.token, { mode: 0o600 });
    const channel = `[channel.telegram]\napi_url = "${telegram.url}"\nbot_token_file = "bot"`;
    const route = `[[route]]\nnotify = ["ana"]\nvia = ["telegram"]`;
    fs.writeFileSync(
      path.join(dir, "config.toml"),
      `[person.ana]\ntelegram = "${ANA}"\n${channel}\n${route}\n`,
    );
  };
  const agents = await agentStage({ asks: { scenario } }, { before });
  const run = await agents.job("asks");
  const decision = await run.asked("approval");
  await agents.until(() => telegram.messages.length === 1);
  const message = telegram.messages[0] ?? assert.fail();
  return { agents, run, decision, telegram, message };
}

describe("a press in Telegram", () => {
  it("reaches the agent, without the secret having left the machine; the message says so", async () => {
    const { agents, run, telegram, message } = await stage("deploy --token abc123def456");
    assert.match(message.text, /deploy --token \[redacted value\]/);
    telegram.press(ANA, message.buttons.find((it) => it.text === "Approve")?.callback_data ?? "");
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(run.told("allowed")[0]?.input, {
      command: "deploy --token abc123def456",
      description: "Deploy",
    });
    await agents.until(() => /Answered by ana: Approve\ndelivered and acknowledged/.test(message.text));
    assert.deepEqual(message.buttons, []);
    assert.ok(!JSON.stringify(telegram.calls).includes("abc123def456"));
  });

  it("approves nothing that was not shown, however it is made", async () => {
    const { agents, run, decision, telegram, message } = await stage(`echo ${"x".repeat(6000)}; rm -rf ~`);
    const hash = decision.action?.sha256.slice(0, 12) ?? "";
    assert.match(message.text, new RegExp(`\\d+ characters hidden, SHA-256 ${hash}`));
    const labels = message.buttons.map((it) => it.text);
    assert.ok(!labels.includes("Approve") && labels.includes("Deny"), labels.join());
    const forged = telegram.press(ANA, `${decision.id}:1`);
    await agents.until(() => telegram.alerts.has(forged));
    assert.match(telegram.alerts.get(forged) ?? "", /does not show all of it/);
    telegram.write(ANA, "1 go ahead", message);
    await agents.until(() => telegram.messages.some((it) => /does not show all of it/.test(it.text)));
    assert.equal((await agents.decision(decision.id)).state, "pending");
    telegram.press(ANA, message.buttons.find((it) => it.text === "Deny")?.callback_data ?? "");
    assert.equal(await run.ended(), "completed");
    assert.equal(run.told("denied").length, 1);
  });
});
