/** `oj audit export`: every event with its links and signatures in one file, for whoever is to check it. */
import path from "node:path";
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { storeHere } from "../store/place.ts";
import { sizeWords } from "../store/words.ts";

export const command = defineCommand({
  name: "audit export",
  local: true,
  summary: "Write every event with its proof into one file",
  args: "FILE",
  flags: {},
  examples: [
    {
      run: "oj audit export june.jsonl",
      does: "lines of JSON, readable by you alone; the export is recorded",
    },
    { run: "oj audit verify june.jsonl", does: "anybody with oj can check it" },
  ],

  async run({ client, config, json, out }, [name = ""]) {
    const store = await storeHere(config);
    const { exportAudit } = await import("../../store/main.ts");
    await client.noteAuditExport();
    const done = await exportAudit(store, path.resolve(config.cwd, name), config.stateDir);
    if (json) return out.json(done);
    const size = `${count(done.events, "event")}, ${sizeWords(done.bytes)}`;
    out.print(`${out.style.green("✓")} ${safeLine(done.file)}: ${size}`);
  },
});
