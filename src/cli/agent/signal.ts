/** `oj agent signal`: what an agent says about itself. In an agent's terminal the environment says which one it is. */
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

const SIGNALS = ["done", "escalate", "fail"] as const;

export const command = defineCommand({
  name: "agent signal",
  summary: "For agents: say that you are done, stuck or failed",
  args: "done|escalate|fail",
  flags: {
    message: { type: "string", short: "m", value: "TEXT", help: "a message to send along" },
    agent: { type: "string", value: "ID", help: "the agent, when not run in its own terminal" },
  },
  completes: SIGNALS,
  examples: [
    { run: "oj agent signal done", does: "the work is done; the runbook's on_signal says what happens next" },
    { run: 'oj agent signal escalate -m "which API version?"', does: "a person is asked" },
  ],

  async run({ client, config, json, out }, [given = ""], flags) {
    const signal = SIGNALS.find((it) => it === given);
    if (!signal) throw usage(`unknown signal "${given}"`, `oj agent signal ${SIGNALS.join("|")}`);
    const id = flags.agent ?? config.agent;
    if (!id) throw usage("this is not an agent's terminal", `oj agent signal ${signal} --agent ID`);
    const agent = await client.signal(id, { signal, message: flags.message ?? null });
    if (json) return out.json(agent);
    out.print(`${agent.id} said: ${signal}`);
  },
});
