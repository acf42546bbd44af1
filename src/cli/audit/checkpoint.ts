/** `oj audit checkpoint`: a signed line to keep elsewhere, which shows later whether everything was rewritten. */
import { defineCommand } from "../base/command.ts";
import { storeHere } from "../store/place.ts";

export const command = defineCommand({
  name: "audit checkpoint",
  local: true,
  summary: "Print a signed note of the log, to keep elsewhere",
  args: "",
  flags: {},
  examples: [
    { run: "oj audit checkpoint > june.note", does: "keep it where nobody who can write the log can write" },
    { run: "oj audit verify june.note", does: "later: is what was there then still there?" },
  ],

  async run({ config, json, out }) {
    const { checkpointOf } = await import("../../store/main.ts");
    const note = await checkpointOf(await storeHere(config), config.stateDir);
    if (json) return out.json({ note });
    out.print(note.trimEnd());
  },
});
