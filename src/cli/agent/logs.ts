/** `oj agent logs`: everything that an agent's terminal printed, as it looked there, or byte for byte. */
import { defineCommand } from "../base/command.ts";
import { write } from "../base/output.ts";
import { countOf } from "../base/values.ts";
import { followedLog, renderedLog } from "./rendered-log.ts";

export const command = defineCommand({
  name: "agent logs",
  summary: "Show what an agent's terminal printed",
  args: "ID",
  flags: {
    follow: { type: "boolean", short: "f", help: "keep printing as more output arrives" },
    lines: { type: "string", short: "n", value: "N", help: "only the last N lines" },
    raw: { type: "boolean", help: "every byte as printed; your terminal obeys the codes in it" },
  },
  completes: "agent",
  examples: [{ run: "oj agent logs agt-7k3m -n 50", does: "the last 50 lines" }],

  async run({ client, out, json }, [id = ""], { follow, lines, raw }) {
    const tail = countOf(lines);
    const isRaw = raw === true || json;
    const rendered = (follow ? followedLog : renderedLog)(out.print, tail);
    const show = raw ? { text: (text: string) => write(1, text), end: () => {} } : rendered;
    const texts: string[] = [];
    for await (const part of client.agentLogs(id, {
      ...(tail === null || !isRaw ? {} : { tail }), // lines on the screen are not lines of the log
      ...(follow ? { follow } : {}),
    })) {
      if (json) texts.push(part);
      else show.text(part);
    }
    if (json) out.json({ id, output: texts.join("") });
    else show.end();
  },
});
