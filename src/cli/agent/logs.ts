/** `oj agent logs`: everything that an agent's terminal printed. */
import { defineCommand } from "../base/command.ts";
import { write } from "../base/output.ts";
import { countOf } from "../base/values.ts";
import { safely } from "../owner/safe-log.ts";

export const command = defineCommand({
  name: "agent logs",
  summary: "Show what an agent's terminal printed",
  args: "ID",
  flags: {
    follow: { type: "boolean", short: "f", help: "keep printing as more output arrives" },
    lines: { type: "string", short: "n", value: "N", help: "only the last N lines" },
    raw: { type: "boolean", help: "exactly as printed; your terminal may obey codes in it" },
  },
  completes: "agent",
  examples: [{ run: "oj agent logs agt-7k3m -n 50", does: "the last 50 lines" }],

  async run({ client, out, json }, [id = ""], { follow, lines, raw }) {
    const tail = countOf(lines);
    const show = raw ? { text: (text: string) => write(1, text), end: () => {} } : safely(out.print);
    const texts: string[] = [];
    for await (const part of client.agentLogs(id, {
      ...(tail === null ? {} : { tail }),
      ...(follow ? { follow } : {}),
    })) {
      if (json) texts.push(part);
      else show.text(part);
    }
    if (json) out.json({ id, output: texts.join("") });
    else show.end();
  },
});
