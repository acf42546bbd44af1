import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { MARK, ownWords } from "./quoted.ts";

const OURS = `${MARK}\n\nrelease/1.0 · ship asks ana:\n\nShip 1.0?\n\nYour answer\n  1  Ship it\n     https://oj.example.com/a/x\n  2  Stop`;
const marked = OURS.split("\n")
  .map((line) => `> ${line}`.trimEnd())
  .join("\n");
const HEAD =
  "From: Oddjobs <oj@example.com>\nSent: Monday, November 16, 2026 10:00 AM\nTo: Ana <ana@example.com>\nSubject: Ship 1.0?";

/** A reply that says `own`, as each program sends it. */
const programs: Record<string, (own: string) => string> = {
  "Gmail on top": (own) =>
    `${own}\n\nOn Mon, Nov 16, 2026 at 10:00 AM Oddjobs <oj+7k3m9x2p4q-aaaaaaaaaaaaaaaaaaaaaaaaaa@example.com>\nwrote:\n\n${marked}\n`,
  "Gmail below": (own) =>
    `On Mon, Nov 16, 2026 at 10:00 AM Oddjobs <oj@example.com> wrote:\n\n${marked}\n>\n\n${own}\n`,
  Outlook: (own) => `${own}\n\n________________________________\n${HEAD}\n\n${OURS}\n`,
  "Outlook for Windows": (own) =>
    `${own}\r\n\r\n${HEAD.replaceAll("\n", "\r\n")}\r\n\r\n${OURS.replaceAll("\n", "\r\n")}`,
  "Outlook, older": (own) => `${own}\n\n-----Original Message-----\n${HEAD}\n\n${OURS}`,
  "Outlook for iOS": (own) =>
    `${own}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\n${HEAD}\n\n${OURS}`,
  "Apple Mail": (own) =>
    `${own}\n\n> On 16. Nov 2026, at 10:00, Oddjobs <oj@example.com> wrote:\n> \n${marked}\n`,
  "Apple Mail on a phone": (own) =>
    `${own}\n\nSent from my iPhone\n\n> On 16. Nov 2026, at 10:00, Oddjobs <oj@example.com> wrote:\n> \n${marked}\n`,
  "Thunderbird on top": (own) => `${own}\n\nOn 16/11/2026 10:00, Oddjobs wrote:\n${marked}\n`,
  "Thunderbird below": (own) =>
    `On 16/11/2026 10:00, Oddjobs wrote:\n${marked}\n\n${own}\n\n-- \nAna\n+49 30 1234567\n`,
  "Thunderbird in German": (own) => `Am 16.11.2026 um 10:00 schrieb Oddjobs:\n${marked}\n${own}`,
  "mutt below": (own) =>
    `On Mon, Nov 16, 2026 at 10:00:00AM +0000, Oddjobs wrote:\n${marked}\n\n${own}\n\n-- \n1 rue de la Paix\n`,
  "mutt, without what was asked": (own) => `${own}\n`,
  "a program that marks nothing": (own) => `${own}\n\n${OURS}`,
};

describe("the words of a reply", () => {
  for (const [program, write] of Object.entries(programs))
    it(`are found in ${program}`, () => {
      for (const own of ["1", "2\n\nNot before Monday.", "1 go ahead", "Ask me again tomorrow"])
        assert.equal(ownWords(write(own)), own);
      assert.equal(ownWords(write("")), "");
    });

  it("may stand between what is quoted", () => {
    assert.equal(ownWords("> Ship 1.0?\n\n2\n\n> Your answer\n\nnot yet"), "2\n\n\nnot yet");
  });

  it("are found in time, whatever was sent", () => {
    for (const text of ["On a\n", "From: a\n", "> > >", "-- ", "wrote:", "On ", "<@>", "\n"])
      ownWords(text.repeat(200_000));
  });
});
