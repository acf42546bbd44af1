/** Several questions of one decision, each with its numbers; what is chosen by name is listed below them. */
import type { DecisionView } from "../../api/api.ts";
import { otherNumber, severalWords, withOther } from "../../core/text/resolve-hint.ts";
import { hang, pad, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";

export type Question = DecisionView["questions"][number];

interface Look {
  style: Style;
  width: number;
}

export function severalQuestions(decision: DecisionView, look: Look): string[] {
  const { questions } = decision;
  return questions.flatMap((it, at) => [...(at === 0 ? [] : [""]), ...questionLines(it, at, decision, look)]);
}

/** One of them, as `show` lists it and as `review` asks it. */
export function questionLines(question: Question, at: number, decision: DecisionView, look: Look): string[] {
  const { style, width } = look;
  const chosen = chosenNumbers(decision, at);
  const several = question.multi_select ? ` (${severalWords(question)})` : "";
  const isNamed = question.header !== null && question.header !== "" && question.header !== question.question;
  const head = `${isNamed ? `${question.header}: ` : ""}${question.question}${several}`;
  const own = question.options.map(({ label, description }) => ({ label, description }));
  const other = { label: "Other", description: "answer in your own words" };
  const options = withOther(question, own, other).flatMap(({ label, description }, index) => {
    const isChosen = chosen.includes(index + 1);
    const words = isChosen && index + 1 === otherNumber(question) ? otherWords(decision, at) : description;
    return hang(
      `   ${isChosen ? style.green("✓") : " "} ${index + 1}  `,
      safeLine(`${label}${words ? `: ${words}` : ""}`),
      width,
    );
  });
  const place = `question ${at + 1} of ${decision.questions.length}`;
  return [...hang(`  ${place}: `, safeLine(head), width).map(style.bold), ...options];
}

/** `cancel   Cancel the whole run`. */
export function namedOptions({ options, answer }: DecisionView, { style, width }: Look): string[] {
  const column = Math.max(...options.map((it) => widthOf(safeLine(it.key))));
  return options.flatMap((it) => {
    const isChosen = answer?.chosen === it.number;
    return hang(
      `   ${isChosen ? style.green("✓") : " "} ${style.bold(pad(safeLine(it.key), column))}  `,
      safeLine(it.description ?? it.effect),
      width,
    );
  });
}

function chosenNumbers({ answer }: DecisionView, at: number): readonly number[] {
  return answer && answer.chosen === null ? (answer.choices[at] ?? []) : [];
}

function otherWords({ answer }: DecisionView, at: number): string {
  return answer?.texts?.[at] ?? answer?.text ?? "";
}
