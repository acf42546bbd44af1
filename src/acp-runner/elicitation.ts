/** `elicitation/create`: the fields of a form as questions. What wants a secret is refused. */
import { showBelow } from "../scripted-agent/stage.ts";
import { contentOf, fieldsOf } from "./form.ts";
import { askAll } from "./questions.ts";
import type { Session } from "./session.ts";
import { flush } from "./updates.ts";
import type { Params } from "./wire/rpc.ts";

export async function elicit(session: Session, params: Params): Promise<object> {
  flush(session);
  const form = fieldsOf(params);
  if ("refused" in form) return declined(session, form.refused);
  const answers = await askAll(
    session,
    form.fields.map((it) => it.question),
  );
  if (session.stage.abort.signal.aborted) return { action: "cancel" };
  if (answers === null) return { action: "decline" };
  const filled = contentOf(form.fields, answers);
  return "refused" in filled
    ? declined(session, filled.refused)
    : { action: "accept", content: filled.content };
}

function declined({ stage }: Session, why: string): object {
  showBelow(stage, `Form declined: ${why}`);
  return { action: "decline" };
}
