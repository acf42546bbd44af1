/** What a settled decision offered, and what of it was chosen. */
import type { DecisionView } from "../../api/api.ts";
import { isOther } from "../../core/text/resolve-hint.ts";
import { safeLine } from "../../text/safe.ts";

export function Asked({ decision }: { decision: DecisionView }) {
  const { questions, options, answer, held } = decision;
  const chosen = (answer ?? held?.answer)?.choices ?? [];
  if (questions.length <= 1)
    return (
      <Offered
        title="It offered"
        labels={options.map((it) => it.label)}
        chosen={chosen.flat().map((it) => options.findIndex(({ number }) => number === it) + 1)}
      />
    );
  return (
    <>
      {questions.map((it, at) => (
        <Offered
          key={at}
          title={safeLine(it.question)}
          labels={[...it.options.map(({ label }) => label), ...otherWords(decision, at)]}
          chosen={chosen[at] ?? []}
        />
      ))}
    </>
  );
}

/** What was written as Other of a question, if it was chosen. */
function otherWords({ questions, answer, held }: DecisionView, at: number): string[] {
  const given = answer ?? held?.answer;
  const question = questions[at];
  return question && isOther(question, given?.choices[at] ?? [])
    ? [given?.texts?.[at] ?? given?.text ?? "Other"]
    : [];
}

interface Given {
  title: string;
  labels: readonly string[];
  chosen: readonly number[];
}

function Offered({ title, labels, chosen }: Given) {
  return (
    <section class="asked">
      <h3>{title}</h3>
      <ol>
        {labels.map((label, at) => {
          const isChosen = chosen.includes(at + 1);
          return (
            <li key={at} class={isChosen ? "chosen" : ""}>
              {safeLine(label)}
              {isChosen && <span class="tag">chosen</span>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
