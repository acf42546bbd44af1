/** An agent in a real terminal asks, people answer in Slack, and the agent has it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { buttonsOf, fakeSlack, textOf } from "../../fakes/servers/slack.ts";
import { agentStage } from "../support/agents.ts";
import type { Project } from "../support/project.ts";
import { until } from "../support/project.ts";

const LONG = `echo ${"x".repeat(20_000)}`;

describe("an agent that asks in Slack", () => {
  it("has the answers that were clicked and typed there; what is too long can only be denied", async () => {
    const slack = await fakeSlack();
    onTestFinished(() => slack.close());
    const before = ({ home }: Project) => {
      const dir = path.join(home, ".config/oj");
      fs.mkdirSync(dir, { recursive: true });
      for (const [name, token] of Object.entries(slack.tokens))
        fs.writeFileSync(path.join(dir, name), token, { mode: 0o600 });
      fs.writeFileSync(
        path.join(dir, "config.toml"),
        `[person.ana]
slack = "U0ANA"
[channel.slack]
bot_token_file = "bot"
app_token_file = "app"
channel = "C0ROOM"
api_url = "${slack.apiUrl}"
[[route]]
notify = ["ana"]
via = ["slack"]
`,
      );
    };
    const push = { tool: "Bash", input: { command: "git push" }, result: "pushed" };
    const long = { tool: "Bash", input: { command: LONG }, result: "", denied: "I won't.", go_on: true };
    const stage = await agentStage(
      { asks: { scenario: { turns: [[push, long, { signal: "done" }]] } } },
      { before },
    );
    const run = await stage.job("asks");
    const first = await until(() => slack.cards()[0]);
    await until(() => slack.connected() > 0);
    await slack.click(first, "I'm on it", "U0ANA");
    await until(() => /ana is on it until/.test(textOf(first)));
    await slack.click(first, "Approve", "U0ANA");
    await until(() => /ana answered at .*: Approve/.test(textOf(first)));
    await until(() => /Delivered and acknowledged/.test(textOf(first)));

    const second = await until(() => slack.cards()[1]);
    assert.equal(buttonsOf(second).includes("Approve"), false);
    const { action } = await run.asked("approval");
    assert.match(textOf(second), /\d+ characters hidden/);
    assert.ok(textOf(second).includes(action?.sha256.slice(0, 8) ?? "?"));
    await slack.click(second, "With a reason…", "U0ANA");
    const view = await until(() => slack.openViews()[0]);
    await slack.submit(view, { choice: "Deny", words: "Too long to read." });
    assert.equal(await run.ended(), "completed");
    assert.deepEqual(
      run.told("denied").map((it) => it.message),
      ["Too long to read."],
    );
    assert.deepEqual(slack.late, []);
  });
});
