/** What a visitor of a link gets: a page, or JSON for a program that presses the button (an action of ntfy). */
import type { OptionView } from "../../api/api.ts";
import type { Form } from "../../channels/page/form.ts";
import type { Asked, Note, PageRule } from "../../channels/page/page.ts";
import { askPage, settledPage, sorryPage } from "../../channels/page/page.ts";
import { standing } from "../../inbox/card/words.ts";
import type { Reply } from "../http/public-door.ts";
import { policyOf } from "../http/public-door.ts";

export interface Ask {
  option: OptionView | null;
  /** Where the form goes: the token, beside this page. */
  action: string;
  given: Form;
  /** Where "I'm on it" goes. */
  claim: string;
  /** What approving may become, and where that goes. */
  rule: PageRule | null;
}

export interface Replies {
  asked(status: number, asked: Asked, ask: Ask, note: Note | null): Reply;
  settled(status: number, asked: Asked, note: Note | null): Reply;
  sorry(status: number, title: string, text: string): Reply;
}

export const pages: Replies = {
  asked: (status, asked, ask, note) => page(status, askPage(asked, { ...ask, note })),
  settled: (status, asked, note) => page(status, settledPage(asked, note)),
  sorry: (status, title, text) => page(status, sorryPage(title, text)),
};

export const json: Replies = {
  asked: (status, { decision }, _, note) =>
    value(status, { answered: false, decision: decision.id, message: note?.text ?? null }),
  settled: (status, { decision, now }, note) =>
    value(status, {
      answered: note?.isGood ?? false,
      decision: decision.id,
      message: [note?.text, standing(decision, now)].filter((it) => it !== undefined).join(" "),
    }),
  sorry: (status, title, text) => value(status, { answered: false, message: `${title}: ${text}` }),
};

function page(status: number, body: string): Reply {
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policyOf() };
  return { status, headers: { ...headers, "x-robots-tag": "noindex" }, body };
}

function value(status: number, body: object): Reply {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
