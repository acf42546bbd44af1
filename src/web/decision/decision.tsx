/**
 * One decision with everything needed to decide, in the order that every inbox has: what is asked, what it is about,
 * why, the answer (beside it if there is room), who and where, and the agent's screen.
 */

import type { ComponentChild } from "preact";
import { useErrorBoundary } from "preact/hooks";
import type { DecisionView, MeView } from "../../api/api.ts";
import { may } from "../../core/rights/rights.ts";
import { clipped } from "../../core/text/words.ts";
import type { Card } from "../../inbox/card/card.ts";
import { describe } from "../../inbox/card/describe.ts";
import { isFailure } from "../../inbox/failed.ts";
import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import { useNow } from "../base/clock.ts";
import { jobPath } from "../base/route.ts";
import { dispatch, ui } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { Answer } from "./answer.tsx";
import { Asked } from "./asked.tsx";
import { Blocks, Changes, Facts, Screen } from "./blocks.tsx";
import { Matter } from "./matter.tsx";
import { Standing } from "./standing.tsx";
import { Timeline } from "./timeline.tsx";

interface Given {
  inbox: Inbox;
  decision: DecisionView;
  /** The way back to the list, if the decision is shown instead of it. */
  back: ComponentChild;
}

/**
 * A decision that can't be drawn says so and leaves the rest of the page alone. Whoever shows it has a pane for each
 * decision, so that every one begins at its top.
 */
export function Decision(given: Given) {
  return <Drawn key={given.decision.id} {...given} />;
}

function Drawn(given: Given) {
  const [error] = useErrorBoundary();
  if (!error) return <Whole {...given} />;
  const { decision, back } = given;
  return (
    <>
      {back}
      <p class="trouble" role="alert">
        {decision.id} can't be shown here. In a terminal: oj decision show {decision.id}
      </p>
    </>
  );
}

function Whole({ inbox, decision, back }: Given) {
  const { id, state, held } = decision;
  const open = state === "pending" && held === null;
  const card = describe(decision, useNow(10_000));
  const { me } = ui();
  const mayAnswer = me === null || me.roles === null || may(rightsOf(me), "answer", decision.project);
  return (
    <article class="decision" aria-labelledby={`title-${id}`}>
      <div class="about">
        <Head decision={decision} back={back} />
        <Matter decision={decision} card={card}>
          <h2 id={`title-${id}`} tabIndex={-1}>
            {safeLine(isCommand(card) ? clipped(card.title, TITLE_LENGTH) : card.title)}
          </h2>
        </Matter>
        {card.why.length > 0 && (
          <section class="why" aria-label="Why">
            <Blocks blocks={card.why} />
          </section>
        )}
        <Changes changes={card.changes} />
      </div>
      <div class="deciding">
        <Standing decision={decision} />
        {open && mayAnswer && <Answer inbox={inbox} decision={decision} />}
        {open && !mayAnswer && (
          <p class="quiet">You may read this, but not answer it: that takes the right to answer here.</p>
        )}
        {!open && <Asked decision={decision} />}
      </div>
      <div class="rest">
        <Facts facts={open ? card.facts : card.facts.filter((it) => !TOLD_ABOVE.includes(it.name))} of={id} />
        <Screen screen={card.screen} />
        {!isFailure(id) && <Timeline decision={decision} />}
      </div>
    </article>
  );
}

function rightsOf({ roles, scopes }: MeView) {
  return { roles: roles ?? [], scopes: scopes ?? [] };
}

/** What became of it stands with the answer. */
const TOLD_ABOVE = ["message", "delivery", "ended"];

/** The whole command stands right below: the title needs its first words only. */
function isCommand({ matter: [first] }: Card): boolean {
  return first?.type === "code" && first.language === "shell";
}

const TITLE_LENGTH = 48;

function Head({ decision, back }: Pick<Given, "decision" | "back">) {
  const { id, agent_id, owner, urgency } = decision;
  return (
    <div class="decision-head">
      {back}
      {urgency === "high" && <p class="urgent">High urgency</p>}
      <span class="spacer" />
      <ClaimButton decision={decision} />
      {agent_id !== null && !isFailure(id) && (
        <button
          type="button"
          class="second"
          onClick={() => dispatch({ type: "key", key: { command: "peek" } })}
        >
          Terminal <Key>p</Key>
        </button>
      )}
      {owner.kind !== "requester" && (
        <a class="second button" href={jobPath(owner.id)}>
          {owner.kind === "crew" ? "Crew" : "Job"} <Key>o</Key>
        </a>
      )}
    </div>
  );
}

/** "I'm on it", and its end. Who is on it, and for how long, stands among the facts. */
function ClaimButton({ decision }: { decision: DecisionView }) {
  const { id, state, held, claimed, snoozed } = decision;
  if (state !== "pending" || held !== null || isFailure(id)) return null;
  return (
    <button type="button" class="second" onClick={() => dispatch({ type: "claim", id })}>
      {claimed ? "Release" : snoozed ? "Wake" : "I'm on it"} <Key>i</Key>
    </button>
  );
}
