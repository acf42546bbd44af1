/**
 * Several similar decisions: all of them in sight before one answer goes to each, and the result for each afterwards.
 */
import { useEffect } from "preact/hooks";
import type { BatchResult } from "../../api/api.ts";
import { ownerName } from "../../core/text/words.ts";
import type { Inbox } from "../../inbox/model.ts";
import { standing } from "../../inbox/words.ts";
import { safeLine } from "../../text/safe.ts";
import { dispatch } from "../base/store.ts";
import { Action } from "./action.tsx";

export function Together({ inbox, ids, words }: { inbox: Inbox; ids: readonly string[]; words: string }) {
  useEffect(() => {
    for (const id of ids) dispatch({ type: "saw", id, rest: 0 });
  }, [ids, inbox.details]);
  return (
    <>
      <p>
        Each gets the answer <strong>{safeLine(words)}</strong>. These are all of them:
      </p>
      <ol class="together">
        {ids.map((id) => {
          const decision = inbox.details.get(id);
          return (
            <li key={id}>
              {decision ? (
                <>
                  <p class="given-title">{safeLine(decision.title)}</p>
                  <p class="quiet">
                    {safeLine(ownerName(decision.owner))} · {id}
                  </p>
                  <Action decision={decision} />
                </>
              ) : (
                <p class="quiet">{id}: loading…</p>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

export function Results({ results, inbox }: { results: readonly BatchResult[]; inbox: Inbox }) {
  const failed = results.filter((it) => "error" in it).length;
  return (
    <>
      <p role="status">
        {results.length - failed} of {results.length} answered{failed > 0 ? `, ${failed} not` : ""}.
      </p>
      <ol class="together">
        {results.map((it) => {
          const decision = inbox.details.get(it.id) ?? ("decision" in it ? it.decision : undefined);
          return (
            <li key={it.id} class={"error" in it ? "bad" : "good"}>
              <p class="given-title">{safeLine(decision?.title ?? it.id)}</p>
              <p class="quiet">
                {"error" in it
                  ? `Not answered: ${safeLine(it.error.message)}`
                  : decision && standing(decision, Date.now())}
              </p>
            </li>
          );
        })}
      </ol>
    </>
  );
}
