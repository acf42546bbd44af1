/** `oj decision cancel`: takes requests back. */
import type { BatchResult, WithdrawBody } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { standing } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { chosenIds, severalFlags } from "../answer/chosen.ts";
import { tellResults } from "../answer/results.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { refusalBody } from "../base/fail.ts";

export const command = defineCommand({
  name: "decision cancel",
  summary: "Withdraw requests that nobody has answered",
  args: "[ID…]",
  flags: {
    reason: { type: "string", value: "R", help: "the reason; whoever awaits it sees it" },
    as: { type: "string", value: "NAME", help: "as the agent or script that asked" },
    ...severalFlags,
  },
  completes: "decision",
  examples: [
    {
      run: "oj decision cancel 7k3",
      does: "the request leaves the inbox; its `await` ends with exit code 4",
    },
    { run: 'oj decision cancel 7k3 --reason "found it in the docs"', does: "the same, with a reason" },
    { run: "oj decision cancel --all --project shop", does: "all requests of a project, after a question" },
  ],
  async run(context, given, { reason = null, as = null, ...flags }) {
    const body = { reason, as };
    const ids = await chosenIds(context, given, flags, {
      verb: "cancel",
      title: "Withdraw",
      noun: "request",
      includes: (it) => it.owner.kind === "requester",
    });
    if (ids === null) return undefined;
    if (!flags.all && ids.length === 1) return cancelOne(context, ids[0] ?? "", body);
    const results: BatchResult[] = [];
    for (const id of ids) results.push(await cancelled(context, id, body));
    return tellResults(context, results);
  },
});

async function cancelOne({ client, out, json, now }: Context, id: string, body: WithdrawBody) {
  const decision = await client.cancelDecision(id, body);
  if (json) return out.json(decision);
  out.print(`${out.style.green("✓")} ${decision.id} ${standing(decision, now())}`);
  if (decision.aftermath !== null) out.print(`  ${safeLine(decision.aftermath)}`);
}

/** One that is refused doesn't keep the others. */
async function cancelled({ client }: Context, id: string, body: WithdrawBody): Promise<BatchResult> {
  try {
    return { id, decision: await client.cancelDecision(id, body) };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.code.startsWith("decision.")) throw error;
    return { id, ...refusalBody(error) };
  }
}
