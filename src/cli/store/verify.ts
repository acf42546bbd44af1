/** `oj store verify`: reads the whole log and names the first event that is not what was written. Repairs nothing. */
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { storeHere } from "./place.ts";

export const command = defineCommand({
  name: "store verify",
  local: true,
  summary: "Check every event of the log; exit 1 if one is damaged",
  args: "",
  flags: {},
  examples: [
    { run: "oj store verify", does: "reads everything, changes nothing, needs no daemon" },
    { run: "oj store verify -o json", does: "`problem` has the first bad event, or is null" },
  ],

  async run({ config, json, out }) {
    const store = await storeHere(config);
    const verified = await store.verify();
    const { events, problem, warnings } = verified;
    if (json) out.json(verified);
    else if (problem === null)
      out.print(`${out.style.green("✓")} ${count(events, "event")}, all as they were written`);
    else out.print(`${out.style.red("✗")} event ${problem.seq}: ${safeLine(problem.what)}`);
    for (const it of warnings) out.say(`${out.style.yellow("!")} ${safeLine(it)}`);
    return problem === null ? 0 : 1;
  },
});
