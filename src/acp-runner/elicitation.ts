/** `elicitation/create`: the fields of a form as questions. What wants a secret is refused. */
import { showBelow } from "../scripted-agent/stage.ts";
import { contentOf, fieldsOf, withReason } from "./form.ts";
import { askAll } from "./questions.ts";
import type { Session } from "./session.ts";
import { flush } from "./updates.ts";
import type { Params } from "./wire/rpc.ts";

export async function elicit(session: Session, params: Params): Promise<object> {
  flush(session);
  const form = fieldsOf(params);
  if ("refused" in form) return declined(session, form.refused);
  let { fields } = form;
  for (let asked = 1; ; asked++) {
    const answers = await askAll(
      session,
      fields.map((it) => it.question),
    );
    if (session.stage.abort.signal.aborted) return { action: "cancel" };
    if (answers === null) return { action: "decline" };
    const filled = contentOf(fields, answers);
    if ("content" in filled) return { action: "accept", content: filled.content };
    if (!filled.isUnfit || asked === MOST_ASKED) return declined(session, filled.refused);
    fields = withReason(form.fields, filled.refused);
  }
}

/** Own words may be no value for a field. The person is asked again, rather than the program told No. */
const MOST_ASKED = 5;

function declined({ stage }: Session, why: string): object {
  showBelow(stage, `Form declined: ${why}`);
  return { action: "decline" };
}
