/** The recipe in docs/security.md: agents run as another user, to whom the daemon, its folder and its terminals are closed. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Decision } from "../support/agents.ts";
import { agentStage } from "../support/agents.ts";

const OTHER = "nobody";

/** Why it can't be shown here; null if it can. */
function reason(): string | null {
  if (process.getuid?.() !== 0) return "only root becomes another user without a password";
  try {
    execFileSync("runuser", ["-u", OTHER, "--", "node", "-e", "0"], { stdio: "ignore" });
    const program = path.join(import.meta.dirname, "../../../dist/oj-agent.cjs");
    execFileSync("runuser", ["-u", OTHER, "--", "test", "-r", program], { stdio: "ignore" });
    return null;
  } catch (error) {
    return `${OTHER} can't run the program: ${(error as Error).message}`;
  }
}

const why = reason();
if (why !== null) process.stderr.write(`agents as another user were not tested: ${why}\n`);

describe.skipIf(why !== null)("an agent that runs as another user", () => {
  it("works, asks through its hooks and through MCP, and can reach nothing else", async () => {
    const call = {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "request_decision", arguments: { prompt: "By MCP?", options: [{ label: "A" }] } },
    };
    const post = `curl -s -X POST "http://127.0.0.1:$(cat port)/mcp" -H "Authorization: Bearer $OJ_AGENT_TOKEN"`;
    const json = `-H "content-type: application/json" -H "accept: application/json, text/event-stream"`;
    const tries = {
      socket: `curl -s --unix-socket "$OJ_STATE_DIR/oj.sock" http://oj/health`,
      cli: "env -u OJ_AGENT -u OJ_AGENT_TOKEN oj decision list -o json",
      folder: `ls "$OJ_STATE_DIR"`,
      tokens: `cat "$OJ_STATE_DIR"/agents/*/token`,
      terminals: `tmux -S "$OJ_STATE_DIR/tmux.sock" list-sessions`,
      daemon: "kill -9 $(cat daemon)",
      memory: "cat /proc/$(cat daemon)/environ",
    };
    const turn = [
      { run: "id -un" },
      { ask: { question: "Which one?", options: ["A", "B"] } },
      { run: `${post} ${json} -d '${JSON.stringify(call)}'` },
      ...Object.values(tries).map((run) => ({ run })),
      { say: "Done." },
    ];
    const scenario = (file: string, dir: string) =>
      `runuser -u ${OTHER} -- env HOME=${dir} OJ_AGENT_HOME=${dir} oj-agent --scenario ${file} --record ${dir}/$OJ_AGENT.jsonl`;
    const stage = await agentStage(
      {},
      {
        runbook: `
          command "other" { args = "<run>"  run = { job = "other" } }
          job "other" {
            step "work" { run = { agent = "other" } }
          }
          agent "other" {
            run     = "SCENARIO"
            prompt  = "Begin."
            on_idle = "done"
          }`,
      },
    );
    const theirs = path.join(path.dirname(stage.home), "theirs");
    const file = path.join(theirs, "scenario.json");
    fs.mkdirSync(theirs, { mode: 0o777 });
    fs.chmodSync(theirs, 0o777);
    fs.writeFileSync(file, JSON.stringify({ turns: [turn], otherwise: [{ say: "Thanks." }] }));
    // the project is open to them, and the folders above it let them through
    for (const it of [path.dirname(stage.home), path.dirname(path.dirname(stage.home))])
      fs.chmodSync(it, 0o711);
    const runbook = path.join(stage.dir, ".oj/runbooks/agents.hcl");
    const text = fs.readFileSync(runbook, "utf8");
    fs.writeFileSync(
      runbook,
      text.replace("SCENARIO", scenario(file, theirs)).replace('args = "<run>"  ', ""),
    );
    stage.write({
      port: fs.readFileSync(path.join(stage.stateDir, "port"), "utf8"),
      daemon: fs.readFileSync(path.join(stage.stateDir, "daemon.pid"), "utf8"),
    });
    const run = await stage.job("other");
    const question = await run.asked("question");
    await stage.run("decision", "resolve", question.id, "2");
    const request = await stage.until(
      () => stage.events.find((it) => it.type === "decision:created" && it.title === "By MCP?"),
      "what it asked by MCP",
    );
    assert.equal((await stage.decision(request.id)).agent_id, run.agent);
    await stage.run("decision", "resolve", request.id, "1"); // typed into its terminal
    assert.equal(await run.ended(), "completed");

    const lines = fs
      .readFileSync(path.join(theirs, `${run.agent}.jsonl`), "utf8")
      .trim()
      .split("\n");
    const told = lines.map((it) => JSON.parse(it) as { kind: string; code: number; output: string });
    const [who, , ...rest] = told.filter((it) => it.kind === "run");
    assert.equal(who?.output.trim(), OTHER);
    for (const [n, name] of Object.keys(tries).entries())
      assert.notEqual(rest[n]?.code, 0, `${name}: ${rest[n]?.output}`);
    const { state, answer } = (await stage.decision(question.id)) as Decision;
    assert.deepEqual([state, answer?.labels], ["resolved", ["B"]]);
    assert.deepEqual(run.events("agent:refused"), []);
  });
});
