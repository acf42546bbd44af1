/** What is asked and what it is about: never folded, never in a box that scrolls by itself, and reported as it is seen. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { DecisionView } from "../../api/api.ts";
import type { Card } from "../../inbox/card/card.ts";
import { useSight } from "../base/sight.ts";
import { Blocks } from "./blocks.tsx";

interface Given {
  decision: Pick<DecisionView, "id" | "action">;
  card: Pick<Card, "title" | "matter">;
  /** The title, as it is drawn here. */
  children: ComponentChildren;
}

export function Matter({ decision, card, children }: Given) {
  const { id, action } = decision;
  const box = useRef<HTMLDivElement>(null);
  useSight(
    box,
    id,
    useMemo(() => JSON.stringify([card.title, card.matter]), [card.title, card.matter]),
  );
  return (
    <div ref={box} class="matter">
      {children}
      <Blocks blocks={card.matter} sha256={action?.sha256 ?? null} />
      {action && (
        <p class="hash">
          <span>{(JSON.stringify(action.input)?.length ?? 0).toLocaleString("en")} characters · sha256</span>{" "}
          <code title={action.sha256}>{action.sha256}</code>
        </p>
      )}
    </div>
  );
}
