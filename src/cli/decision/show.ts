/** `oj decision show`: everything that is needed to decide. */
import type { DecisionView } from "../../api/api.ts";
import { resolveHint } from "../../core/text/resolve-hint.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import { ownerHint } from "../../inbox/card/words.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { card } from "../card/card.ts";

export const command = defineCommand({
  name: "decision show",
  summary: "Show what is asked, why, and what each option does",
  args: "ID",
  flags: { full: { type: "boolean", help: "also what is folded: what changed, and the agent's screen" } },
  completes: "decision",
  examples: [
    { run: "oj decision show dec-7k3m9x2p4q", does: "the whole decision" },
    { run: "oj decision show 7k3", does: "any unique prefix of the id works" },
    { run: "oj decision show 7k3 --full", does: "with what changed and the agent's screen" },
    { run: "oj decision show 7k3 -o json", does: "the same as JSON" },
  ],
  async run({ client, config, out, json, now }, [id = ""], { full }) {
    const decision = await client.decision(id);
    if (json) return out.json(decision);
    out.print(card(decision, { style: out.style, width: out.width, now: now() }, full === true));
    if (isRememberable(decision))
      out.print(`\n  ${out.style.bold("Remember this")}: oj policy remember ${decision.id}`);
    if (decision.state === "pending" && isPerson(config)) await client.seeDecision(id).catch(() => {});
    const next = nextCommand(decision);
    if (next !== null) out.say(`\n  ${out.style.cyan("→")} ${next}`);
  },
});

/** Whether a person looks, as far as we can tell: not an agent, a session or a script of a step. */
function isPerson({ agentToken, session, run }: Context["config"]): boolean {
  return agentToken === undefined && session === undefined && run === undefined;
}

function nextCommand(decision: DecisionView): string | null {
  if (decision.held) return `oj decision undo ${decision.id}`; // nothing but a no under a rule is taken now
  if (decision.state === "pending") return `${resolveHint(decision)} [-m "a message"]`;
  if (decision.superseded_by) return `oj decision show ${decision.superseded_by}`;
  return ownerHint(decision.owner);
}
