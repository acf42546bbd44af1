/** `oj decision await`: waits for the answer, across restarts of the daemon, and prints it. */
import type { DecisionView } from "../../api/api.ts";
import { never, Refusal } from "../../core/model/errors.ts";
import { followUp } from "../../core/text/resolve-hint.ts";
import { standing } from "../../inbox/card/words.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import type { Deadline } from "../base/deadline.ts";
import { deadlineOf, isOver, timeLeft } from "../base/deadline.ts";
import { EXIT } from "../base/fail.ts";
import { patiently } from "../base/patience.ts";

export const command = defineCommand({
  name: "decision await",
  summary: "Wait for the answer and print it",
  args: "ID",
  flags: {
    timeout: { type: "string", value: "D", help: "give up after 30s, 5m, 1h30m (default: never)" },
  },
  completes: "decision",
  examples: [
    {
      run: "oj decision await 7k3 --timeout 10m",
      does: "exit codes: 0 answered; 4 withdrawn, superseded, expired or dismissed; 5 timeout",
    },
    { run: "oj decision await 7k3 -o json | jq .answer", does: "the whole decision as JSON" },
  ],
  async run(context, [id = ""], { timeout }) {
    const deadline = deadlineOf(timeout);
    return tell(context, await awaitDecision(context, id, deadline));
  },
});

/** Returns the decision when it is settled, in whatever way. */
export async function awaitDecision(context: Context, id: string, deadline: Deadline): Promise<DecisionView> {
  const { client } = context;
  for (;;) {
    const decision = await patiently(context, deadline, () => {
      return client.awaitDecision(id, deadline ? { timeout_ms: timeLeft(deadline) } : {});
    }).catch((error) => {
      if (context.abort.aborted) throw error;
      if (isOver(deadline)) throw tooLate(id, deadline);
      if (error instanceof Refusal && error.code === "timeout") return null; // one call waits for days at most
      throw error;
    });
    if (decision && decision.state !== "pending") return decision;
  }
}

/** Prints the answer, and returns the exit code that tells scripts how it went. */
export function tell({ out, json, now }: Context, decision: DecisionView): number {
  if (json) out.json(decision);
  else if (decision.state === "resolved") out.print(answerText(decision));
  if (!json) out.say(`${decision.id} ${standing(decision, now())}`);
  if (!json && decision.aftermath !== null) out.say(safeLine(decision.aftermath));
  if (!json && decision.successor !== null)
    out.say(`  ${out.style.cyan("→")} ${safe(followUp(decision.id, decision.successor))}`);
  return exitCodeOf(decision.state);
}

/** The chosen labels, the text and the message, one below the other. */
export function answerText({ answer }: Pick<DecisionView, "answer">): string {
  const lines = [...(answer?.labels ?? []), answer?.text, answer?.message];
  return lines.flatMap((it) => (it ? [safe(it)] : [])).join("\n");
}

function exitCodeOf(state: DecisionView["state"]): number {
  switch (state) {
    case "resolved":
      return EXIT.done;
    case "dismissed":
    case "superseded":
    case "withdrawn":
    case "expired":
      return EXIT.ended;
    case "pending":
      return EXIT.timeout;
    default:
      return never(state);
  }
}

function tooLate(id: string, deadline: Deadline): Refusal {
  return new Refusal("timeout", `${id} was not answered within ${deadline?.text}`, `oj decision show ${id}`);
}
