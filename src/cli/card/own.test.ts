import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import type { OwnView, TemplateView } from "../../api/api.ts";
import { askingLines } from "../../core/text/asking-words.ts";
import { ownLines, reminder } from "./own.ts";

const nothing: OwnView = { caller: { kind: "agent", name: "builder" }, pending: [], news: [], inbox: null };
const asked = decision({ id: "dec-aa", source: "request", title: "Which\ncache?", created_at_ms: NOW });
const answer = {
  chosen: 1,
  choices: [[1]],
  labels: ["Redis"],
  text: null,
  message: "for now",
  by: "ana",
  via: "cli",
  resolved_at_ms: NOW,
} as const;
const answered = decision({
  id: "dec-bb",
  title: "Ship?",
  state: "resolved",
  answer: { ...answer, choices: [[1]], labels: ["Redis"] },
});
const stuck = { name: "stuck", prompt_hint: "Say what blocks you" } as TemplateView;

describe("the list of one's own requests", () => {
  it("has one line each, with what people said", () =>
    assert.deepEqual(ownLines({ pending: [asked], news: [answered] }, NOW), [
      "dec-aa (Which⏎cache?) is pending, asked just now",
      "dec-bb (Ship?): answered: Redis, by ana (cli) just now",
      "  they say: for now",
    ]));
});

describe("a reminder", () => {
  it("tells an agent how to offer a decision", () =>
    assert.deepEqual(reminder(nothing, [stuck], NOW), [
      ...askingLines(),
      "or use one of these templates with --template (see oj decision templates):",
      "  stuck: Say what blocks you",
    ]));

  it("tells an agent that has asked to wait", () =>
    assert.deepEqual(reminder({ ...nothing, pending: [asked] }, [stuck], NOW), [
      "dec-aa (Which⏎cache?) is pending, asked just now",
      "Wait for it: oj decision await dec-aa",
    ]));

  it("tells a person what is waiting for them", () => {
    const person = { ...nothing, caller: { kind: "person", name: "ana" } as const };
    const inbox = { high: 1, medium: 0, low: 2 };
    assert.deepEqual(reminder({ ...person, inbox }, [stuck], NOW), [
      "3 decisions waiting for an answer: 1 high, 2 low",
    ]);
    assert.deepEqual(reminder({ ...person, inbox: { high: 0, medium: 0, low: 0 } }, [], NOW), [
      "no decisions waiting for an answer",
    ]);
  });
});
