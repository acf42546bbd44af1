/** The real Claude Code asks through MCP: as an agent that oj runs, and as a session that oj did not start. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { it } from "vitest";
import { idIn, tokenFor } from "../specs/support/mcp.ts";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import type { Step } from "./model-api.ts";
import { text, tool } from "./model-api.ts";
import type { ClaudeStage } from "./stage.ts";
import { claudeStage } from "./stage.ts";

const question = {
  prompt: "Which store?",
  options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
  recommend: 1,
  context: { size: "small" },
};

/** Asks, awaits the answer by the id it was given, and ends. */
const script: Step[] = [
  tool("mcp__oj__request_decision", question),
  ({ messages }) => tool("mcp__oj__await_decision", { id: idIn(lastResult(messages)) }),
  text("So be it."),
];

function lastResult(messages: { role: string; content: unknown }[]): string {
  const results = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return JSON.stringify(results.findLast((it) => it.type === "tool_result"));
}

/** Chooses as a person, and checks what the daemon tells the model. */
async function answered(stage: ClaudeStage, by: RegExp): Promise<void> {
  const { id } = await stage.until(
    () => stage.events.find((it) => it.type === "decision:created" && it.source === "request"),
    "a request",
  );
  const decision = await stage.json<{ title: string; requested_by: string }>("decision", "show", id);
  assert.equal(decision.title, question.prompt);
  assert.match(decision.requested_by, by);
  await stage.heard("asks", 1);
  await stage.run("decision", "resolve", id, "2", "-m", "v16");
  assert.equal(
    (await stage.heard("asks", 2)).trim(),
    `${id} was answered by ana.\nChosen: option 2, "Postgres"\nThey add: v16`,
  );
  await stage.until(async () => (await stage.decision(id)).delivery.state === "acknowledged", "the receipt");
}

function serverFile(stage: ClaudeStage, server: object): string {
  const file = path.join(stage.home, "mcp.json");
  fs.writeFileSync(file, JSON.stringify({ mcpServers: { oj: server } }));
  return file;
}

describeClaude("asks through MCP", () => {
  it("as an agent, if oj started it", async () => {
    const run = "claude --mcp-config $HOME/mcp.json --strict-mcp-config --allowedTools mcp__oj";
    const stage = await claudeStage({ asks: { script, run } });
    serverFile(stage, { command: "oj", args: ["mcp"] });
    const job = await stage.job("asks");
    await answered(stage, /^asks$/);
    const [asked] = stage.events.filter((it) => it.type === "decision:created");
    assert.equal(asked?.agent_id, job.agent);
    assert.equal(await job.ended(), "completed");
  });

  for (const door of ["stdio", "http"] as const)
    also(`as a session that oj did not start, over ${door}`, async () => {
      const stage = await claudeStage({ asks: { script } });
      const { token, url } = await tokenFor(stage, "desk");
      const headers = { Authorization: `Bearer ${token}` };
      const file = serverFile(
        stage,
        door === "http" ? { type: "http", url, headers } : { command: "oj", args: ["mcp"] },
      );
      const args = [
        "-p",
        "Please play #s:asks",
        "--mcp-config",
        file,
        "--strict-mcp-config",
        "--allowedTools",
        "mcp__oj",
      ];
      const said = promisify(execFile)("claude", args, { cwd: stage.dir, env: stage.env });
      await answered(stage, door === "http" ? /^desk$/ : /^claude-code-[0-9a-f]{6}$/);
      assert.match((await said).stdout, /So be it\./);
    });
});
