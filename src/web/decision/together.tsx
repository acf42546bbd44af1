/**
 * Several decisions with the same action: all of them in sight before one answer goes to each, the result for each
 * afterwards, and one way to take all of it back.
 */
import type { BatchResult, DecisionView } from "../../api/api.ts";
import { describe } from "../../inbox/card/describe.ts";
import { standing, who } from "../../inbox/card/words.ts";
import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import { Matter } from "./matter.tsx";
import { OnHold } from "./standing.tsx";

export function Together({ inbox, ids, words }: { inbox: Inbox; ids: readonly string[]; words: string }) {
  return (
    <>
      <p>
        Each of these {ids.length} gets the answer <strong>{safeLine(words)}</strong>:
      </p>
      <ol class="together">
        {ids.map((id) => {
          const decision = inbox.details.get(id);
          return (
            <li key={id}>{decision ? <Member decision={decision} /> : <p class="quiet">Loading…</p>}</li>
          );
        })}
      </ol>
    </>
  );
}

function Member({ decision }: { decision: DecisionView }) {
  const card = describe(decision, Date.now());
  return (
    <Matter decision={decision} card={card}>
      <p class="given-title">{safeLine(card.title)}</p>
      <p class="quiet">
        {who(decision)} · {decision.id}
      </p>
    </Matter>
  );
}

export function Results({ results, inbox }: { results: readonly BatchResult[]; inbox: Inbox }) {
  const failed = results.filter((it) => "error" in it).length;
  const held = results.map((it) => inbox.details.get(it.id)).find((it) => it?.held);
  return (
    <>
      <p role="status">
        {results.length - failed} of {results.length} answered{failed > 0 ? `, ${failed} not` : ""}.
      </p>
      {held?.held && <OnHold id={held.id} held={held.held} all={results.length - failed} />}
      <ol class="together">
        {results.map((it) => {
          const decision = inbox.details.get(it.id) ?? ("decision" in it ? it.decision : undefined);
          return (
            <li key={it.id} class={"error" in it ? "bad" : "good"}>
              <p class="given-title">{safeLine(decision?.title ?? it.id)}</p>
              <p class="quiet">
                {[
                  ...(decision ? [who(decision)] : []),
                  ...("error" in it
                    ? [`Not answered: ${safeLine(it.error.message)}`]
                    : decision && !decision.held
                      ? [standing(decision, Date.now())]
                      : []),
                ].join(" · ")}
              </p>
            </li>
          );
        })}
      </ol>
    </>
  );
}
