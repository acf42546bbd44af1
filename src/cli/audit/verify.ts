/** `oj audit verify`: proves that every event is the one that was written, or names the first that is not. */
import path from "node:path";
import { localTime } from "../../inbox/card/times.ts";
import { count } from "../../inbox/card/words.ts";
import type { Audited } from "../../store/main.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { storeHere } from "../store/place.ts";

export const command = defineCommand({
  name: "audit verify",
  local: true,
  summary: "Prove that no event was changed; exit 1 if one was",
  args: "[FILE…]",
  flags: {},
  examples: [
    { run: "oj audit verify", does: "follows the chain and its signatures; needs no daemon" },
    { run: "oj audit verify june.note", does: "… and compares with a checkpoint that you kept" },
    { run: "oj audit verify june.jsonl", does: "checks an export instead" },
  ],

  async run({ config, json, out }, names) {
    const { verifyAudit } = await import("../../store/main.ts");
    const files = names.map((name) => path.resolve(config.cwd, name));
    const audited = await verifyAudit(() => storeHere(config), files, config.stateDir);
    const { events, problem, more, signed, erased, warnings } = audited;
    if (json) out.json(audited);
    else if (problem === null) {
      const by = signed > 0 ? `, signed up to event ${signed}` : "";
      out.print(`${out.style.green("✓")} ${count(events, "event")}, each as it was written${by}`);
    } else {
      const which =
        problem.upTo > problem.seq ? `events ${problem.seq} to ${problem.upTo}` : `event ${problem.seq}`;
      out.print(`${out.style.red("✗")} ${which}: ${safeLine(problem.what)}`);
      if (more > 0) out.print(`  and ${count(more, "more problem")} after it`);
    }
    if (!json) for (const it of erased) out.say(`  ${erasedWords(it)}`);
    for (const it of warnings) out.say(`${out.style.yellow("!")} ${safeLine(it)}`);
    return problem === null ? 0 : 1;
  },
});

function erasedWords({ decision, by, at_ms, events }: Audited["erased"][number]): string {
  const what = `the texts of ${decision} in ${count(events, "event")}`;
  return safeLine(`${what} were erased by ${by}, ${localTime(at_ms)}`);
}
