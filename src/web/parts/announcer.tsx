/** Announcements for screen readers: that an answer was sent, and that the page is live again. */
import { useEffect, useRef, useState } from "preact/hooks";
import { answerWords } from "../../inbox/card/words.ts";
import type { Inbox } from "../../inbox/model.ts";

export function Announcer({ inbox }: { inbox: Inbox }) {
  const [said, say] = useState("");
  const id = inbox.answered.at(-1);
  const decision = id === undefined ? undefined : inbox.details.get(id);
  const answer = decision?.held?.answer ?? decision?.answer;
  const isHeld = Boolean(decision?.held);
  useEffect(() => {
    if (answer) say(`Sent: ${answerWords({ answer })}.${isHeld ? " It can still be taken back." : ""}`);
  }, [id, answer?.resolved_at_ms]);

  const wasLost = useRef(false);
  useEffect(() => {
    if (inbox.connection === "live" && wasLost.current) say("The page is live again.");
    if (inbox.connection !== "connecting") wasLost.current = inbox.connection === "offline";
  }, [inbox.connection]);
  return (
    <p role="status" class="unseen">
      {said}
    </p>
  );
}
