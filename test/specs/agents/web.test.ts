/** What a browser sees of agents: their terminals as they change, and what happened to their decisions and jobs. */
import assert from "node:assert/strict";
import { it } from "vitest";
import { agentStage } from "../support/agents.ts";
import { loggedIn } from "../support/web.ts";

const IS_SEEN = { run: "until [ -e seen ]; do sleep 0.05; done" }; // only the newest screen is sent, and this is to be one
const IDLE = {
  scenario: { turns: [[{ say: "Hm." }]], otherwise: [{ say: "Now I see." }, IS_SEEN, { signal: "done" }] },
};

it("the web inbox shows an agent's terminal live, and afterwards what happened", async () => {
  const stage = await agentStage({ idle: IDLE });
  const run = await stage.job("idle");
  const { id } = await run.asked("idle");
  const { origin, cookie, key, call } = await loggedIn(stage);

  const headers = { cookie, "x-oj-web-key": key };
  const response = await fetch(`${origin}/api/agents/${run.agent}/screens?ansi=true`, { headers });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.getReader();
  let text = "";
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const { value, done } = await reader.read();
      assert.ok(!done, `ended before ${pattern}`);
      text += Buffer.from(value).toString("utf8");
    }
  };
  await until(/Hm\./);
  const answered = await call("POST", `/decisions/${id}/resolve`, {
    choices: [[1]],
    message: "Go on, please.",
  });
  assert.equal(answered.status, 200, answered.text);
  await until(/Go on, please\./);
  stage.write({ seen: "" });
  await until(/^event: ended$/m);
  assert.equal((await reader.read()).done, true);

  const typesOf = async (to: string) =>
    (JSON.parse((await call("GET", to)).text) as { events: { type: string }[] }).events.map((it) => it.type);
  const decision = await typesOf(`/decisions/${id}/events`);
  assert.deepEqual(
    decision.filter((it) => it.startsWith("decision:")),
    ["created", "held", "resolved", "delivered", "acknowledged"].map((it) => `decision:${it}`),
  );
  await stage.until(async () => (await typesOf(`/jobs/${run.owner}/events`)).includes("job:completed"));
  const job = await typesOf(`/jobs/${run.owner}/events`);
  for (const type of [
    "job:created",
    "step:started",
    "decision:created",
    "decision:resolved",
    "step:completed",
  ])
    assert.ok(job.includes(type), `${type} in ${job}`);
});
