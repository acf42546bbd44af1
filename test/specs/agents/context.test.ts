/** A person's commands go to another machine. What their agents and steps call here still belongs here. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { agentStage } from "../support/agents.ts";
import { personWith, served } from "../support/served.ts";

interface Asked {
  title: string;
  requested_by: string;
  asked_in?: { step: string };
  agent_id: string | null;
}

it("asks and signals at home, from agents and from steps, while another context is in use", async () => {
  const ask = (from: string) =>
    `oj decision request --prompt "From the ${from}?" --option Yes --no-wait >> asked 2>&1; echo $? >> asked`;
  const stage = await agentStage(
    {
      asks: {
        scenario: {
          turns: [
            [
              { run: ask("agent") },
              { run: "oj --server elsewhere decision list >> elsewhere 2>&1; echo $? >> elsewhere" },
              { signal: "done" },
            ],
          ],
        },
      },
    },
    { runbook: `job "steps" { step "ask" { run = ${JSON.stringify(ask("step"))} } }` },
  );
  stage.write({ ".oj/runbooks/steps.hcl": 'command "steps" { run = { job = "steps" } }' });
  const { token } = await personWith(stage, "ana", ["approver"], "ask,answer");
  const url = await served(stage);
  const file = path.join(stage.home, ".config/oj/contexts.json");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const contexts = [{ name: "elsewhere", url, token }];
  fs.writeFileSync(file, JSON.stringify({ current: "elsewhere", contexts }), { mode: 0o600 });

  const run = await stage.job("asks");
  assert.equal(await run.ended(), "completed");
  const steps = await stage.run("--server", "local", "run", "steps", "--wait");
  assert.equal(steps.code, 0, steps.stderr);
  const all = JSON.parse(
    (await stage.run("--server", "local", "decision", "list", "--all", "-o", "json")).stdout,
  ) as Asked[];
  const agent = all.find((it) => it.title === "From the agent?");
  assert.equal(agent?.agent_id, run.agent);
  const step = all.find((it) => it.title === "From the step?");
  assert.deepEqual([step?.requested_by, step?.asked_in?.step], ["steps/ask", "ask"]);
  const refused = fs.readFileSync(path.join(stage.dir, "elsewhere"), "utf8");
  assert.match(refused, /an agent asks the daemon that runs it[\s\S]*\n1\n$/);
});
