/** A decision and its card without secrets, for channels that leave the machine. */
import type { DecisionView } from "../api/api.ts";
import type { DiffLine } from "../core/text/diff.ts";
import { hasHidden } from "../core/text/secrets/known.ts";
import { redactAll, redactText } from "../core/text/secrets/redact.ts";
import type { Block, Card } from "../inbox/card/card.ts";

export interface RedactedDecision {
  decision: DecisionView;
  card: Card;
  /**
   * Whether what remains still shows the whole action: nothing but plain values was taken out, each marked where it
   * stood. Otherwise something that acts could be hidden in a "password", and no message may let anybody approve it.
   */
  showsAll: boolean;
}

/** Whether a yes lets the very thing happen that was shown; the words of a question bind nobody. */
export function isBinding({ source }: Pick<DecisionView, "source">): boolean {
  return source === "approval" || source === "plan";
}

/** The hash of an action stays that of the real one: it is what an approval is bound to. */
export function redacted({ decision, card }: Pick<RedactedDecision, "decision" | "card">): RedactedDecision {
  const { matter, why, changes, screen, ...lines } = card;
  const blocks = (them: readonly Block[]) => them.map(redactBlock);
  return {
    decision: withoutKeys(redactAll(decision).value),
    card: {
      ...redactAll(lines).value,
      matter: blocks(matter),
      why: blocks(why),
      changes: blocks(changes),
      screen: screen && redactBlock(screen),
    },
    showsAll: [decision.action, matter].every(
      (it) => redactAll(it).isPlain && !(isBinding(decision) && hasHidden(it)),
    ),
  };
}

/** A key is made of its label, and in its own spelling a secret looks like none. */
function withoutKeys(decision: DecisionView): DecisionView {
  if (!decision.options?.some((it) => it.label.includes("[redacted "))) return decision;
  const options = decision.options.map((it) =>
    it.label.includes("[redacted ") ? { ...it, key: `option-${it.number}` } : it,
  );
  return { ...decision, options };
}

function redactBlock(block: Block): Block {
  return block.type === "diff"
    ? { ...block, path: redactAll(block.path).value, lines: redactLines(block.lines) }
    : redactAll(block).value;
}

/** As one text, because a private key goes over many lines. The number of lines stays. */
function redactLines(lines: readonly DiffLine[]): DiffLine[] {
  const texts = redactText(lines.map((it) => it.text).join("\n")).value.split("\n");
  return lines.map((it, at) => ({ ...it, text: texts[at] ?? "" }));
}
