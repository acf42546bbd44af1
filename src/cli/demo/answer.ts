/** One agent's question: shown, answered by the person or by the tour itself, and followed until the agent has the answer. */
import type { DecisionView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Context } from "../base/command.ts";
import { refusalText } from "../base/fail.ts";
import { openKeyboard } from "../base/keys.ts";
import { write } from "../base/output.ts";
import { commandOf } from "../decision/resolve.ts";
import type { Reply } from "../review/dialog.ts";
import { keyDialog } from "../review/dialog.ts";
import { trackOf } from "./history.ts";
import { call, Interrupted, tell } from "./talk.ts";
import { eventsSoFar, until } from "./wait.ts";

/** With keys an answer takes a few seconds, as each key is checked on the screen. */
const ARRIVES_WITHIN_MS = 20_000;

/** What the tour says about each kind of question, and what it answers when nobody is there. */
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

export async function answerOne(
  context: Context,
  decision: DecisionView,
  asks: boolean,
): Promise<"answered" | "left" | "quit"> {
  const kind = KINDS[decision.source] ?? { about: "An agent needs you:", number: "1" };
  tell(context, kind.about);
  await call(context, "decision show", [decision.id]);
  if (!asks) {
    tell(context, "The tour answers by itself here:");
    const { number, message } = kind;
    await call(context, "decision resolve", [decision.id, number], message === undefined ? {} : { message });
    await follow(context, decision.id);
    return "answered";
  }
  for (;;) {
    const reply = await askPerson(context, decision);
    if (reply.type === "interrupt") throw new Interrupted();
    if (reply.type === "quit") return "quit";
    if (reply.type === "skip") return "left";
    try {
      const { args, flags } = commandOf(reply.body);
      await call(context, "decision resolve", [decision.id, ...args], flags);
      await follow(context, decision.id);
      return "answered";
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === "timeout") throw error;
      context.out.print(refusalText(error, context.out.style)); // it takes another answer: ask again
    }
  }
}

async function askPerson({ out, abort }: Context, decision: DecisionView): Promise<Reply> {
  const look = { style: out.style, width: out.width, write: (text: string) => write(2, text) };
  const keyboard = openKeyboard(process.stdin, look.write);
  try {
    return await keyDialog(keyboard, look).ask(decision, abort);
  } finally {
    keyboard.close();
  }
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
