/** `oj agent show`: one agent, with what it is owed. */
import { describeAge } from "../../core/text/words.ts";
import { agentRemark } from "../../inbox/fleet/agent-remark.ts";
import { hang } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "agent show",
  summary: "Show an agent and what it has yet to receive",
  args: "ID",
  flags: {},
  completes: "agent",
  examples: [
    { run: "oj agent show agt-7k3m", does: "its state, conversation, last message and undelivered answers" },
  ],

  async run({ client, json, out, now }, [id = ""]) {
    const agent = await client.agent(id);
    if (json) return out.json(agent);
    const { style } = out;
    out.print(`${style.bold(agent.id)}  ${safeLine(agent.name)}  ${agent.status}`);
    const owner =
      agent.owner.kind === "job"
        ? `${agent.owner.id} ${agent.owner.name}, step "${agent.owner.step}"`
        : `crew ${agent.owner.id} ${agent.owner.name}`;
    const remark = agentRemark({ ...agent, owed: [] }, now()); // what is owed has lines of its own
    const facts: [string, string][] = [
      ["works for", safeLine(owner)],
      ["client", agent.kind],
      ["folder", safeLine(agent.cwd)],
      [
        "started",
        `${describeAge(now() - agent.created_at_ms)}${agent.incarnation > 1 ? `, ${agent.incarnation} times in all` : ""}`,
      ],
      ["conversation", agent.conversation ?? "not started"],
      ...(agent.prompt
        ? [["shows", `${agent.prompt.kind}: ${safeLine(agent.prompt.tool)}`] as [string, string]]
        : []),
      ...(agent.decision_id ? [["asks", agent.decision_id] as [string, string]] : []),
      ...(remark === "" ? [] : [["waits", remark] as [string, string]]),
      ...(agent.error
        ? [["error", safeLine(`${agent.error.kind}: ${agent.error.message}`)] as [string, string]]
        : []),
      ...(agent.exit ? [["exit", agent.exit.signal ?? `code ${agent.exit.code}`] as [string, string]] : []),
    ];
    for (const [name, value] of facts) out.print(`  ${style.dim(name.padEnd(13))}${value}`);
    for (const it of agent.owed) {
      const what = it.decision_id ?? (it.task ? "its task" : "a message");
      const tries = it.attempts > 0 ? ` (try ${it.attempts})` : "";
      const why = it.waits_for ? `; ${safeLine(it.waits_for)}` : ""; // a daemon of before doesn't say it
      const words = `${what}: ${it.state}${tries}${why}`;
      for (const line of hang(`  ${style.yellow("undelivered")}  `, words, out.width)) out.print(line);
    }
    if (agent.silent)
      for (const line of hang(`  ${style.yellow("silent")}       `, safeLine(agent.silent.says), out.width))
        out.print(line);
    for (const it of agent.notes) out.print(`  ${style.yellow("note")}         ${safeLine(it)}`);
    if (agent.last_message) out.print(`\n${safe(agent.last_message)}`);
    out.say(
      agent.status === "ended"
        ? `  → oj agent logs ${agent.id}`
        : `  → oj agent peek ${agent.id}, or: oj agent attach ${agent.id}`,
    );
  },
});
