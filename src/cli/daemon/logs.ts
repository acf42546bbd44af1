/** `oj daemon logs`: the daemon's own log. Reads the file, so it works when the daemon doesn't. */
import path from "node:path";
import { safeJson, safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { EXIT } from "../base/fail.ts";
import { countOf } from "../base/values.ts";
import { followLines, lastLines } from "./log-file.ts";
import { logLine } from "./log-line.ts";

const USUAL_LINES = 50;

export const command = defineCommand({
  name: "daemon logs",
  local: true,
  lenient: true,
  summary: "Show the daemon's own log",
  args: "",
  flags: {
    follow: { type: "boolean", short: "f", help: "keep printing new lines" },
    lines: { type: "string", short: "n", value: "N", help: `the last N lines (default ${USUAL_LINES})` },
  },
  examples: [
    { run: "oj daemon logs -f", does: "the last lines, then new ones as they come" },
    { run: "oj daemon logs -n 1000 -o json", does: "one JSON object per line, as in the file" },
  ],

  async run({ config, json, out, abort }, _, { follow, lines }) {
    const file = path.join(config.stateDir, "daemon.log");
    const count = countOf(lines) ?? USUAL_LINES;
    const show = (line: string) => out.print(json ? safeJson(line) : logLine(line, out.style));
    if (follow) {
      await followLines(file, count, abort, show);
      return EXIT.interrupted;
    }
    const found = lastLines(file, count);
    for (const line of found) show(line);
    if (found.length === 0 && !json) out.say(`the daemon has written nothing to ${safeLine(file)} yet`);
    return EXIT.done;
  },
});
