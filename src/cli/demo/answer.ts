/** One agent's question: shown, answered by the tour itself, and followed until the agent has the answer. */
import type { DecisionView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Context } from "../base/command.ts";
import { trackOf } from "./history.ts";
import { call, tell } from "./talk.ts";
import { eventsSoFar, until } from "./wait.ts";

/** With keys an answer takes a few seconds, as each key is checked on the screen. */
const ARRIVES_WITHIN_MS = 20_000;

/** What the tour says about each kind of question, and what it answers. */
const KINDS: Partial<Record<DecisionView["source"], { about: string; number: string; message?: string }>> = {
  question: {
    about: "One agent asks a question. The options are its own:",
    number: "1",
    message: "and note it in the changes",
  },
  plan: {
    about: "One has made a plan and wants to know whether to build it:",
    number: "2",
  },
  approval: {
    about:
      "One wants to run a command. What you see is exactly what will run, taken from the request itself and not from how the agent describes it:",
    number: "1",
  },
  gate: {
    about:
      "One said it was done, but its gate disagrees. It was sent back once automatically and failed again, so now it is your turn:",
    number: "1",
    message: 'the state must be called "sent"',
  },
};

export async function answerOne(context: Context, decision: DecisionView): Promise<void> {
  const kind = KINDS[decision.source] ?? { about: "An agent needs you:", number: "1" };
  tell(context, kind.about);
  await call(context, "decision show", [decision.id]);
  tell(context, "The tour answers by itself here:");
  const { number, message } = kind;
  await call(context, "decision resolve", [decision.id, number], message === undefined ? {} : { message });
  await follow(context, decision.id);
}

/** Until the agent has shown that it has the answer: answered → delivered → acknowledged. */
async function follow(context: Context, id: string): Promise<void> {
  const { client, out } = context;
  const arrived = until(
    context,
    "the answer did not arrive",
    async () => {
      const { delivery, state } = await client.decision(id);
      return state === "dismissed" || ["acknowledged", "failed"].includes(delivery.state) ? true : null;
    },
    ARRIVES_WITHIN_MS,
  );
  // A late answer is still owed, and the tour goes on: it shows how far the answer got.
  await arrived.catch((error) => {
    if (!(error instanceof Refusal && error.code === "timeout")) throw error;
  });
  out.print(`  ${out.style.green(trackOf(id, await eventsSoFar(context)))}`);
}
