/** A card in lines, section by section: whoever shows it puts them one below the other, the options between them. */
import type { DecisionView } from "../../api/api.ts";
import type { Fact } from "../../inbox/card/card.ts";
import { describe } from "../../inbox/card/describe.ts";
import { hang, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { blockLines } from "./blocks.ts";

export interface Look {
  style: Style;
  width: number;
  now: number;
}

export interface Sections {
  title: string[];
  /** What has to be seen before an agent may act: see `Card`. */
  matter: string[];
  why: string[];
  facts: string[];
  /** Folded unless somebody asks for them. */
  changes: string[];
  screen: string[];
}

export function cardSections(decision: DecisionView, look: Look): Sections {
  const card = describe(decision, look.now);
  return {
    title: wrap(safeLine(card.title), look.width).map(look.style.bold),
    matter: blockLines(card.matter, look),
    why: blockLines(card.why, look),
    facts: factLines(card.facts, look),
    changes: blockLines(card.changes, look),
    screen: card.screen ? blockLines([card.screen], look) : [],
  };
}

/** Sections with an empty line between them. */
export function joined(sections: readonly (readonly string[])[]): string[] {
  return sections.filter((it) => it.length > 0).flatMap((it, at) => (at === 0 ? it : ["", ...it]));
}

/** `  asked by    job release/1.0 …`, aligned; a name that is too long for its column ends with a colon. */
export function factLines(facts: readonly Pick<Fact, "name" | "text">[], { style, width }: Look): string[] {
  return facts.flatMap(({ name, text }) => {
    const label = name.length > 11 ? `${name}:` : name.padEnd(11);
    const lines = hang(`  ${label} `, safe(text), width, " ".repeat(14));
    return lines.map((line, at) => (at === 0 ? line.replace(name, style.dim(name)) : line));
  });
}
