/** Answers given here recently: which can still be undone, and how far the others have come. */
import { useEffect, useState } from "preact/hooks";
import type { DecisionView } from "../api/api.ts";
import type { Inbox } from "../inbox/model.ts";
import { answerWords, deliveryWords } from "../inbox/words.ts";
import { safeLine } from "../text/safe.ts";
import { OnHold } from "./decision/standing.tsx";

const SHOWN_MS = 10_000;

export function Recent({ inbox }: { inbox: Inbox }) {
  const shown = inbox.answered
    .flatMap((id) => inbox.details.get(id) ?? [])
    .filter((it) => it.id !== inbox.selected)
    .slice(-3);
  return (
    <ul class="recent" aria-label="Answers just given">
      {shown.map((it) => (
        <Given key={it.id} decision={it} />
      ))}
    </ul>
  );
}

function Given({ decision }: { decision: DecisionView }) {
  const { held, title, answer, delivery, state } = decision;
  const isOver =
    !held && (delivery.state === "acknowledged" || delivery.state === "none" || state !== "resolved");
  const [gone, setGone] = useState(false);
  useEffect(() => {
    if (!isOver) return setGone(false);
    const timer = setTimeout(() => setGone(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isOver]);
  if (gone || (!held && !answer)) return null;
  return (
    <li class={`given ${held ? "held" : delivery.state}`}>
      <p class="given-title">{safeLine(title)}</p>
      {held ? (
        <OnHold id={decision.id} held={held} />
      ) : (
        <p>
          <strong>{answerWords(decision)}</strong>: {deliveryWords(decision) ?? state}
        </p>
      )}
    </li>
  );
}
