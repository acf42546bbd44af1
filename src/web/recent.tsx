/** Answers given here recently: which can still be undone, and how far the others have come. */
import { useEffect, useState } from "preact/hooks";
import type { DecisionView } from "../api/api.ts";
import { saidWords } from "../inbox/card/said.ts";
import { answerWords, deliveryWords } from "../inbox/card/words.ts";
import type { Inbox } from "../inbox/model.ts";
import { safeLine } from "../text/safe.ts";
import { OnHold } from "./decision/standing.tsx";

const SHOWN_MS = 10_000;
const MOST = 3;

export function Recent({ inbox }: { inbox: Inbox }) {
  const shown = inbox.answered
    .filter((id) => id !== inbox.selected && !isEarlierOfBatch(inbox, id))
    .flatMap((id) => inbox.details.get(id) ?? [])
    .slice(-MOST);
  return (
    <ul class="recent" aria-label="Answers just given">
      {shown.map((it) => (
        <Given key={it.id} decision={it} all={batchOf(inbox, it.id).length} />
      ))}
    </ul>
  );
}

/** Those answered together with this one, which can still be undone together. */
function batchOf({ undoable }: Inbox, id: string): readonly string[] {
  return undoable.find((it) => it.includes(id)) ?? [id];
}

/** The last one stands for its batch: the list keeps only the newest answers. */
function isEarlierOfBatch(inbox: Inbox, id: string): boolean {
  return batchOf(inbox, id).at(-1) !== id;
}

function Given({ decision, all }: { decision: DecisionView; all: number }) {
  const { held, title, answer, delivery, state } = decision;
  const isOver =
    !held && (delivery.state === "acknowledged" || delivery.state === "none" || state !== "resolved");
  const [gone, setGone] = useState(false);
  useEffect(() => {
    if (!isOver) return setGone(false);
    const timer = setTimeout(() => setGone(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isOver]);
  const said = state === "pending" ? saidWords(decision) : null;
  if (gone || (!held && !answer && said === null)) return null;
  return (
    <li class={`given ${held ? "held" : delivery.state}`}>
      <p class="given-title">{safeLine(title)}</p>
      {held ? (
        <OnHold id={decision.id} held={held} all={all} />
      ) : (
        <p>
          {said ?? (
            <>
              <strong>{answerWords(decision)}</strong>: {deliveryWords(decision) ?? state}
            </>
          )}
        </p>
      )}
    </li>
  );
}
