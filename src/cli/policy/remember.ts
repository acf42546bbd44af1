/** `oj policy remember`: the rule that an approval would become, and, with its hash, approving it so. */
import { scopeChoices } from "../../inbox/card/rule.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { afterDelivery, outcomeLines } from "../card/outcome.ts";
import { ruleLines, scopeLines } from "../card/rule.ts";

export const command = defineCommand({
  name: "policy remember",
  summary: "Approve a call, and remember that as a rule",
  args: "ID",
  flags: {
    for: { type: "string", value: "SCOPE", help: "job (until it ends) or project (from now on)" },
    rule: { type: "string", value: "HASH", help: "the hash of the rule that you have read" },
  },
  completes: "decision",
  examples: [
    {
      run: "oj policy remember 7k3",
      does: "the rule it would become, tried on history; nothing is answered",
    },
    {
      run: "oj policy remember 7k3 --for job --rule 4f2a9c01",
      does: "approves it, and again until its job ends",
    },
    {
      run: "oj policy remember 7k3 --for project --rule 4f2a9c01",
      does: "approves it always in this project",
    },
  ],

  async run(context, [id, ...more], { for: scope, rule: given }) {
    const { client, json, out } = context;
    if (id === undefined || more.length > 0)
      throw usage("oj policy remember takes one ID", "oj decision list");
    if (scope !== undefined && scope !== "job" && scope !== "project")
      throw usage(`--for takes job or project, not ${scope}`, `oj policy remember ${id}`);
    if ((scope === undefined) !== (given === undefined))
      throw usage(
        "--for and --rule go together: the rule's hash says that you have read it",
        `oj policy remember ${id}`,
      );
    if (given?.trim() === "") throw usage("--rule needs the rule's hash", `oj policy remember ${id}`);
    const found = await client.ruleFor(id);
    const { rule, decision } = found;
    if (scope === undefined || given === undefined) {
      if (json) return out.json(found);
      const look = { style: out.style, width: out.width };
      for (const line of ruleLines(found, look)) out.print(line);
      const hint = (text: string) => out.say(`  ${out.style.cyan("→")} ${text}`);
      if (rule === null) return hint(`oj decision show ${decision}`);
      out.print("");
      for (const line of scopeLines(scopeChoices(found), null, look)) out.print(line);
      const short = rule.hash.slice(0, HASH_LENGTH);
      hint(`oj decision resolve ${decision} approve`);
      hint(`oj policy remember ${decision} --for job --rule ${short}`);
      if (rule.problem === null) hint(`oj policy remember ${decision} --for project --rule ${short}`);
      return undefined;
    }
    const isRead = rule !== null && given.length >= HASH_LENGTH && rule.hash.startsWith(given);
    const result = await client.rememberDecision(decision, { scope, hash: isRead ? rule.hash : given });
    if (json) return out.json(result.decision);
    const settled = await afterDelivery(context, result.decision);
    for (const line of outcomeLines(settled, result.option, out.style)) out.print(line);
    return undefined;
  },
});

/** Enough to tell two rules for one decision apart. */
const HASH_LENGTH = 8;
