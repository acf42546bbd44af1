/**
 * A question that takes its options alone (a form's list, a yes or no): own words are offered nowhere, and a message with
 * a choice still arrives. Every surface is walked with the same question open, so that a surface that shows nothing fails.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { DecisionView } from "../../src/api/api.ts";
import { askLetter } from "../../src/channels/mail/compose.ts";
import { formHtml } from "../../src/channels/page/form.ts";
import { cardMessage } from "../../src/channels/slack/card.ts";
import { formModal } from "../../src/channels/slack/modal.ts";
import { telegramMessage } from "../../src/channels/telegram/message.ts";
import { answerIn } from "../../src/channels/text/reply.ts";
import { plain } from "../../src/cli/base/output.ts";
import { card } from "../../src/cli/card/card.ts";
import { frame } from "../../src/cli/watch/frame.ts";
import { howToAnswer } from "../../src/core/text/resolve-hint.ts";
import { decisionView } from "../../src/daemon/views/views.ts";
import { choicesOf } from "../../src/inbox/answer.ts";
import { describe as describeCard } from "../../src/inbox/card/describe.ts";
import { fakeClient, NOW } from "../fakes/fake-client.ts";
import { forever } from "../fakes/forever.ts";
import { hookedAgent } from "../fakes/hooked-agent.ts";
import { desk, VIEW } from "../fakes/inbox.ts";
import { outgoing } from "../fakes/outgoing.ts";
import { byLines, review } from "../fakes/review.ts";
import { settled } from "../fakes/settled.ts";

const question = (question: string, multiSelect: boolean, closed: boolean) => ({
  question,
  header: question.slice(0, 5),
  multiSelect,
  options: [{ label: "Sloop" }, { label: "Ketch" }],
  ...(closed ? { closed } : {}),
});

const SHAPES: Record<string, (closed: boolean) => object[]> = {
  "one of them": (closed) => [question("Which boat?", false, closed)],
  "several of them": (closed) => [question("Which boats?", true, closed)],
  "several questions": (closed) => [
    question("Which boat?", false, closed),
    question("Which crew?", true, closed),
  ],
};

async function asked(questions: object[], run = "acp:any"): Promise<DecisionView> {
  const { send, pending } = await hookedAgent(undefined, run);
  void send(
    { hook_event_name: "PermissionRequest", tool_name: "AskUserQuestion", tool_input: { questions } },
    forever,
  );
  await settled();
  const [decision = assert.fail("nothing was asked")] = await pending();
  return decisionView(decision);
}

const place = { channel: "C1", ts: "1.1", response_url: null };
const input = (it: DecisionView) => ({ decision: it, card: describeCard(it, NOW) });
const isForm = ({ questions }: DecisionView) => questions.length > 1 || questions[0]?.multi_select === true;

/** What each surface shows. */
const SURFACES: Record<string, (it: DecisionView) => string | Promise<string>> = {
  "oj decision show": (it) => card(it, { style: plain, width: 80, now: NOW }),
  "the hint of oj decision resolve": (it) => howToAnswer(it),
  "oj watch": (it) =>
    frame(desk(it).inbox, {
      columns: 120,
      rows: 60,
      now: NOW,
      style: plain,
      view: VIEW,
      peeked: [],
    }).lines.join("\n"),
  "oj decision review": async (it) => (await review(fakeClient(it), ["?", "q"])).shown,
  "oj decision review, by lines": async (it) => (await byLines(fakeClient(it), "nonsense", "q")).shown,
  "the web": (it) => JSON.stringify(choicesOf(it)),
  "the page of a link": (it) => formHtml(it, null, { action: "t", given: new Map() }).text,
  Slack: (it) => {
    const message = cardMessage({ ...input(it), isWhole: true, reason: "asked", names: ["ana"], url: "u" });
    const modal = isForm(it) ? formModal({ ...input(it), sawAll: true, place }) : null;
    return JSON.stringify([message, modal]);
  },
};

/** Those that show the choices in text only; they say it where a question takes one choice, or several take one each. */
const TEXTS: Record<string, (it: DecisionView) => string> = {
  Telegram: (it) => JSON.stringify(telegramMessage({ ...outgoing(it), open: "u" } as never, NOW)),
  mail: (it) =>
    askLetter({
      ...outgoing(it),
      name: "ana",
      links: new Map(),
      open: "u",
      claim: null,
      replies: "all",
    } as never).text,
};

const OWN_WORDS = /\bOther\b|own words/;

describe.each(Object.entries(SHAPES))("a question for %s", (_, shape) => {
  it.each(Object.entries(SURFACES))("offers own words only if it takes them: %s", async (_, shows) => {
    assert.match(await shows(await asked(shape(false))), OWN_WORDS);
    const text = await shows(await asked(shape(true)));
    assert.match(text, /Sloop|1-\d/, "it shows the options");
    assert.doesNotMatch(text, OWN_WORDS);
  });

  it.each(Object.entries(TEXTS))("offers none in %s", async (_, shows) => {
    assert.doesNotMatch(shows(await asked(shape(true))), OWN_WORDS);
  });

  it("opens no line for own words in oj watch", async () => {
    for (const closed of [false, true]) {
      const it = desk(await asked(shape(closed)));
      it.press("t");
      assert.equal(it.inbox.mode.type, closed ? "list" : "write");
      if (closed) assert.match(it.inbox.notice?.text ?? "", /own words are no answer here/);
    }
  });

  it("stays open for a client that always takes own words, whatever its model says", async () => {
    for (const run of ["claude", "oj-agent"])
      assert.match(howToAnswer(await asked(shape(true), run)), /\bOther\b/, run);
  });
});

describe("words in reply to a closed question", () => {
  it("choose nothing", async () => {
    const it = await asked(SHAPES["one of them"]?.(true) ?? []);
    assert.deepEqual(answerIn(it, "a schooner").choices, []);
  });
});
