/**
 * The pieces of Slack's messages and modals. Every text is `plain_text`: Slack shows it letter by letter, so nothing that
 * an agent wrote becomes a mention, a link or markup.
 */

export interface PlainText {
  type: "plain_text";
  text: string;
  emoji: false;
}

export interface Button {
  type: "button";
  action_id: string;
  text: PlainText;
  value?: string;
  url?: string;
  style?: "primary" | "danger";
}

export interface Choice {
  text: PlainText;
  description?: PlainText;
  value: string;
}

export type Element =
  | { type: "plain_text_input"; action_id: string; multiline: boolean; max_length: number }
  | {
      type: "radio_buttons" | "checkboxes" | "static_select" | "multi_static_select";
      action_id: string;
      options: Choice[];
    };

export type SlackBlock =
  | { type: "header"; text: PlainText }
  | { type: "section"; text: PlainText; accessory?: Button }
  | { type: "context"; elements: PlainText[] }
  | { type: "actions"; elements: Button[] }
  | { type: "divider" }
  | {
      type: "input";
      block_id: string;
      label: PlainText;
      optional: boolean;
      element: Element;
      hint?: PlainText;
    };

export interface View {
  type: "modal";
  title: PlainText;
  submit?: PlainText;
  close: PlainText;
  private_metadata: string;
  blocks: SlackBlock[];
}

/** Slack's limits, in characters; what is longer is refused as a whole. */
export const LIMITS = {
  header: 150,
  section: 3000,
  /** All blocks of a message, as JSON: Slack begins to refuse at about 13,200. */
  message: 12_500,
  buttons: 25,
  button: 75,
  choice: 75,
  label: 2000,
  title: 24,
  radios: 10,
  select: 100,
  words: 3000,
  /** The top-level text, which notifications show. */
  fallback: 300,
} as const;

export function plain(text: string, most: number): PlainText {
  const shown = within(text, most);
  return { type: "plain_text", text: shown.trim() === "" ? "(empty)" : shown, emoji: false };
}

export function section(text: string): SlackBlock {
  return { type: "section", text: plain(text, LIMITS.section) };
}

/** At most so many characters as Slack counts them: in units of UTF-16, of which some letters take two. */
function within(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "");
  return `${kept.trimEnd()}…`;
}

/** A long text in as many sections as it takes, broken between lines where that costs little. */
export function sections(text: string): SlackBlock[] {
  if (text.trim() === "") return [];
  const found: SlackBlock[] = [];
  for (let rest = text; rest !== ""; ) {
    const part = firstPart(rest);
    found.push(section(part));
    rest = rest.slice(part.length).replace(/^\n/, "");
  }
  return found;
}

function firstPart(text: string): string {
  if (text.length <= LIMITS.section) return text;
  const most = text.slice(0, LIMITS.section).replace(/[\ud800-\udbff]$/, "");
  const end = most.lastIndexOf("\n");
  return end > LIMITS.section / 2 ? most.slice(0, end) : most;
}

export function context(text: string): SlackBlock {
  return { type: "context", elements: [plain(text, LIMITS.section)] };
}

/** Text for the places that Slack reads as markup: its three special characters are escaped, as it asks for. */
export function escaped(text: string): string {
  return within(text, LIMITS.fallback)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** How long blocks are as they travel. */
export function lengthOf(blocks: readonly SlackBlock[]): number {
  return JSON.stringify(blocks).length;
}
