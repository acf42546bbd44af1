/** What became of an answered or settled decision: on hold with a countdown, then whether the answer arrived. */

import type { DecisionView } from "../../api/api.ts";
import type { Held } from "../../core/model/decision-types.ts";
import { saidWords } from "../../inbox/card/said.ts";
import { answerWords, deliveryWords, standing } from "../../inbox/card/words.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { useNow } from "../base/clock.ts";
import { decisionPath } from "../base/route.ts";
import { dispatch, setUi } from "../base/store.ts";
import { Key } from "../parts/key.tsx";

export function Standing({ decision }: { decision: DecisionView }) {
  const { held, state, answer, superseded_by } = decision;
  const now = useNow(null);
  if (held) return <OnHold id={decision.id} held={held} />;
  if (state === "pending") return <SoFar decision={decision} />;
  return (
    <div class={`standing-box ${state}`}>
      <p class="standing-words">{standing(decision, now)}</p>
      {answer?.message && (
        <p class="standing-message">
          <span class="name">message</span> {safe(answer.message)}
        </p>
      )}
      {state === "superseded" && superseded_by && (
        <p>
          <a href={decisionPath(superseded_by)}>Go to the one that replaced it</a>
        </p>
      )}
      <Delivery decision={decision} />
    </div>
  );
}

/** It takes several people, and some have said something: whoever did can take that back. */
function SoFar({ decision }: { decision: DecisionView }) {
  const said = saidWords(decision);
  if (said === null) return null;
  return (
    <div class="standing-box pending">
      <p class="standing-words">{said}</p>
      <button type="button" class="second" onClick={() => undo(decision.id)}>
        Take back what I said
      </button>
    </div>
  );
}

interface HoldGiven {
  id: string;
  held: Held;
  /** How many decisions got the same answer: they are undone together. */
  all?: number;
}

export function OnHold({ id, held, all = 1 }: HoldGiven) {
  const now = useNow(250);
  const left = Math.max(0, Math.ceil((held.release_at_ms - now) / 1000));
  return (
    <div class="on-hold">
      <p>
        <strong>{answerWords({ answer: held.answer })}</strong>
        {all > 1 ? ` to ${all}` : ""}, by {safeLine(`${held.answer.by} (${held.answer.via})`)}:{" "}
        {all > 1 ? "they go out in" : "goes out in"} <span class="seconds">{left} s</span>
      </p>
      <button type="button" class="second" onClick={() => undo(id)}>
        Undo{all > 1 ? ` all ${all}` : ""} <Key>u</Key>
      </button>
      <meter
        min={0}
        max={Math.max(1, held.release_at_ms - held.held_at_ms)}
        value={Math.max(0, held.release_at_ms - now)}
        aria-label="time left to take it back"
      />
    </div>
  );
}

/** Undoes this answer, even if another one was given later, and the others of its batch with it. */
function undo(id: string): void {
  dispatch({ type: "undo", id });
  setUi({ together: null });
}

const STAGES = ["owed", "delivered", "acknowledged"] as const;
const NAMES = { owed: "Answered", delivered: "Delivered", acknowledged: "Acknowledged" };

/** Answered → delivered → acknowledged, and how far the answer has come. */
function Delivery({ decision }: { decision: DecisionView }) {
  const { delivery, answer } = decision;
  const words = answer ? deliveryWords(decision) : null;
  if (words === null || delivery.state === "none")
    return words === null ? null : <p class="delivery-words">{words}</p>;
  const reached = delivery.state === "failed" ? 0 : STAGES.indexOf(delivery.state);
  return (
    <div class={`delivery ${delivery.state}`}>
      <ol aria-label="Delivery">
        {STAGES.map((stage, at) => (
          <li
            key={stage}
            class={at <= reached ? "reached" : ""}
            aria-current={at === reached ? "step" : undefined}
          >
            {NAMES[stage]}
          </li>
        ))}
      </ol>
      <p class="delivery-words">{words}</p>
    </div>
  );
}
