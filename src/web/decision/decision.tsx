/** One decision with everything needed to decide; the answer is beside it, or below it if there is no room. */

import type { ComponentChild } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import type { DecisionView } from "../../api/api.ts";
import { describeAge } from "../../core/text/words.ts";
import type { Inbox } from "../../inbox/model.ts";
import { asker } from "../../inbox/words.ts";
import { safeLine } from "../../text/safe.ts";
import { localTime, useNow } from "../base/clock.ts";
import { decisionPath, jobPath } from "../base/route.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { Action } from "./action.tsx";
import { Answer } from "./answer.tsx";
import { Context } from "./context.tsx";
import { Standing } from "./standing.tsx";
import { Timeline } from "./timeline.tsx";

interface Given {
  inbox: Inbox;
  decision: DecisionView;
  /** The way back to the list, if the decision is shown instead of it. */
  back: ComponentChild;
}

/** A decision that can't be drawn says so and leaves the rest of the page alone. */
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
  const { id, title, state, held } = decision;
  const open = state === "pending" && held === null;
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    top.current?.closest(".pane")?.scrollTo(0, 0);
  }, [id]);
  useEffect(() => dispatch({ type: "saw", id, rest: 0 }), [decision]); // the page has no end below which it is hidden
  return (
    <article
      ref={top}
      class={`decision urgency-${decision.urgency}`}
      aria-labelledby={`title-${id}`}
      key={id}
    >
      <div class="about">
        <Head decision={decision} back={back} />
        <h2 id={`title-${id}`} tabIndex={-1}>
          {safeLine(title)}
        </h2>
        <Facts decision={decision} />
        <Action decision={decision} />
        <Context decision={decision} />
        {!open && <Asked decision={decision} />}
        <Timeline decision={decision} />
      </div>
      <div class="deciding">
        <Standing decision={decision} />
        {open && <Answer inbox={inbox} decision={decision} />}
      </div>
    </article>
  );
}

function Head({ decision, back }: Pick<Given, "decision" | "back">) {
  const { id, urgency, source, project, agent_id } = decision;
  return (
    <div class="decision-head">
      {back}
      <div class="head-tags">
        <span class={`tag ${urgency}`}>{urgency}</span>
        <span class={`tag source-${source}`}>{source}</span>
        <span class="tag">{safeLine(project)}</span>
        <code class="id">{id}</code>
      </div>
      <div class="head-links">
        {agent_id !== null && (
          <button
            type="button"
            class="second"
            onClick={() => dispatch({ type: "key", key: { command: "peek" } })}
          >
            Terminal <Key>p</Key>
          </button>
        )}
        {decision.owner.kind !== "requester" && (
          <a class="second button" href={jobPath(decision.owner.id)}>
            {decision.owner.kind === "crew" ? "Crew" : "Job"} <Key>o</Key>
          </a>
        )}
      </div>
    </div>
  );
}

function Facts({ decision }: { decision: DecisionView }) {
  const now = useNow(10_000);
  const rows: [string, ComponentChild][] = [
    ["asked by", asker(decision)],
    [
      "asked",
      <time
        key="asked"
        dateTime={new Date(decision.created_at_ms).toISOString()}
        title={localTime(decision.created_at_ms)}
      >
        {describeAge(now - decision.created_at_ms)}
      </time>,
    ],
    ["template", decision.template],
    ["blocks", decision.blocks.map(safeLine).join(", ") || null],
    ["work", decision.aftermath],
    ["part of", linked(decision.parent)],
    ["follows", linked(decision.predecessor)],
    ["replaces", linked(decision.supersedes)],
  ];
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== null && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "string" ? safeLine(value) : value}</dd>
          </div>
        ))}
    </dl>
  );
}

function linked(id: string | null): ComponentChild {
  return id === null ? null : <a href={decisionPath(id)}>{id}</a>;
}

/** The options it had, once it is settled. */
function Asked({ decision }: { decision: DecisionView }) {
  const given = decision.answer ?? decision.held?.answer;
  const { questions, options } = decision;
  if (questions.length > 1)
    return (
      <section class="asked">
        <h3>The questions</h3>
        <ol>
          {questions.map((it, at) => (
            <li key={it.question}>
              {safeLine(it.question)}
              <ul>
                {it.options.map((option, index) => (
                  <li key={option.label} class={given?.choices[at]?.includes(index + 1) ? "chosen" : ""}>
                    {safeLine(option.label)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </section>
    );
  return (
    <section class="asked">
      <h3>The options</h3>
      <ol>
        {options.map((it) => (
          <li key={it.key} class={given?.choices.flat().includes(it.number) ? "chosen" : ""}>
            {safeLine(it.label)}
            {given?.choices.flat().includes(it.number) && <span class="tag">chosen</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
