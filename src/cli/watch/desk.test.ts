import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { citizen } from "../../../test/fakes/crowd.ts";
import { decision } from "../../../test/fakes/fake-client.ts";
import { A, about, B, brief, failedRun } from "../../../test/fakes/inbox.ts";
import type { DecisionView } from "../../api/api.ts";
import type { Key } from "../base/keys.ts";
import { plain } from "../base/output.ts";
import type { DeskEffect } from "./desk.ts";
import { makeDesk } from "./desk.ts";

const NOW = 1_000_000;

/** A terminal with these decisions, loaded, to press keys on and to read. */
function terminal(size: { columns: number; rows: number }, ...views: DecisionView[]) {
  const desk = makeDesk(() => NOW, plain);
  const effects: DeskEffect[] = [];
  const draw = () => desk.draw({ ...size, peeked: [] });
  desk.put({ type: "listed", briefs: views.map(brief) });
  for (const decision of views) desk.put({ type: "loaded", decision });
  draw();
  return {
    desk,
    effects,
    /** Each key is followed by a frame. */
    press(...keys: string[]): void {
      for (const name of keys) {
        const key: Key =
          name === "enter" || name === "escape" ? { type: name } : { type: "text", text: name };
        effects.push(...desk.press(key));
        draw();
      }
    },
    text: () => draw().join("\n"),
  };
}

const SMALL = { columns: 80, rows: 24 };

describe("a text that is too long to be shown", () => {
  const { view } = citizen(1, 4);

  it("is cut, with its length and hash, and is approved only after it was opened", () => {
    const it = terminal(SMALL, view);
    const hash = view.action?.sha256.slice(0, 16) ?? "";
    const screens: string[] = [];
    for (let at = 0; at < 30 && !it.text().includes("e, Esc or q back"); at += 1) {
      screens.push(it.text());
      it.press("1", "enter");
      assert.deepEqual(it.effects, []);
      it.press("J");
    }
    assert.ok(screens.some((one) => one.includes(`sha256 ${hash}`) && one.includes("e opens all of it")));
    assert.match(it.text(), /k4v0l0\./, "the last J opens the whole text");
    it.press("1", "enter");
    assert.deepEqual(it.effects, [], "where the options are not in sight, none is taken");
    it.press("e", "1", "enter");
    assert.deepEqual(typesOf(it.effects), ["resolve"]);
  });

  it("is approved too if all of it was read there, and then no screen is said to be missing", () => {
    const it = terminal(SMALL, view);
    it.press("1", "enter");
    const [above, below] = [...it.text().matchAll(/(\d+) more screens/g)].map((one) => one[1]);
    assert.deepEqual([above, it.effects], [below, []], it.text());
    it.press("e", "e", "1", "enter");
    assert.deepEqual(it.effects, [], "its first screen is not all of it");
    it.press("e");
    for (let at = 0; at < 60; at += 1) it.press("J");
    it.press("e");
    assert.doesNotMatch(it.text(), /more screen|cut: e/);
    it.press("1", "enter");
    assert.deepEqual(typesOf(it.effects), ["resolve"]);
  });
});

describe("a change that is not sent yet", () => {
  const asked = decision({
    ...A,
    source: "approval",
    title: "Bash: rm -rf build",
    action: { tool: "Bash", input: { command: "rm -rf build" }, sha256: "x" },
    options: [
      { key: "approve", label: "Approve" },
      { key: "deny", label: "Deny" },
    ],
  });

  it("stays on the card: what Enter would send is what is on the screen", () => {
    const it = terminal(SMALL, asked, B);
    it.desk.put({ type: "edited", id: asked.id, text: "ls build\n" });
    it.press("j", "k");
    for (const words of [/Changed by you. Approve it, and this runs/, /┃ ls build/, /changed: ls build$/m])
      assert.match(it.text(), words);
    it.press("enter");
    assert.deepEqual(
      it.effects.map((one) => one.type === "resolve" && one.body.input),
      [{ command: "ls build" }],
    );
    it.desk.put({
      type: "refused",
      id: asked.id,
      error: { code: "decision.already-resolved", message: "no", hint: null },
    });
    it.press("k");
    it.desk.put({ type: "edited", id: asked.id, text: null });
    assert.doesNotMatch(it.text(), /Changed by you|changed:/);
  });
});

describe("keys pause", () => {
  it("also those that only the terminal has, while somebody goes on typing", () => {
    const it = terminal(SMALL, A, B);
    it.press("t", "a");
    const fact = { type: "decision:superseded", id: A.id, project: "shop", superseded_by: B.id };
    it.desk.put({ type: "events", events: [{ seq: 1, at_ms: NOW, ...fact } as never] });
    it.press("c", "enter", "f", "e", "s", "q");
    assert.deepEqual(it.effects, []);
    assert.match(it.text(), /was replaced by dec-bbbbbbbbbb, shown here/);
  });
});

describe("what d asks before it does it", () => {
  const DROP = "It leaves the inbox. The job stays failed, and can still be resumed.";
  const DISMISS = "Nothing is approved; whoever asked is told that it was dismissed.";

  it("is about whoever asked, or about a job that asked nobody", () => {
    const asked = terminal(SMALL, A);
    asked.press("d");
    assert.deepEqual([/Dismiss\?/.test(asked.text()), asked.text().includes(DISMISS)], [true, true]);
    const failed = terminal(SMALL);
    failed.desk.put({ type: "failed", runs: [failedRun()] });
    failed.press("d");
    assert.deepEqual([/Drop\?/.test(failed.text()), failed.text().includes(DROP)], [true, true]);
    assert.doesNotMatch(failed.text(), /Nothing is approved|Dismiss\?/);
  });
});

describe("a group", () => {
  const all = [11, 12, 13].map((number) => citizen(number, 2).view);

  it("is one row with its count; what is confirmed has the label, each asker and the action", () => {
    const it = terminal(SMALL, ...all, { ...B, created_at_ms: 99 });
    assert.match(it.text(), /▶.*Bash: k2v0l0.*×3/);
    it.press("1", "enter");
    const text = it.text();
    for (const part of ["Approve: 3 decisions?", "1  job11", "2  job12", "3  job13", "k2v0l4.", ...ids(all)])
      assert.ok(text.includes(part), `${part} in\n${text}`);
    it.press("enter");
    assert.deepEqual(typesOf(it.effects), ["resolve-all"]);
  });

  it("opened has a mark at each, which can be taken off", () => {
    const it = terminal(SMALL, ...all);
    it.press("M");
    assert.equal(it.text().match(/✓ *\$|✓!?\$/g)?.length, 3);
    it.press("m");
    assert.match(it.text(), /▶○/);
  });
});

const typesOf = (effects: readonly DeskEffect[]) => effects.map((it) => it.type);
const ids = (views: readonly DecisionView[]) => views.map((it) => it.id);

describe("the screen", () => {
  it("tells two askers of the same thing apart, in a narrow list too", () => {
    const [ana, ben] = ["ana", "ben"].map((name, at) =>
      decision({
        ...A,
        id: `dec-${String(at).repeat(10)}` as DecisionView["id"],
        title: "Ship it?",
        urgency: at === 0 ? "high" : "low",
        owner: { kind: "requester", id: name, name },
        options: [{ label: `Yes, ${name}` }],
      }),
    ) as [DecisionView, DecisionView];
    const it = terminal(SMALL, ana, ben);
    assert.match(it.text(), /Ship it\? · ana[\s\S]*Ship it\? · ben/);
  });

  it("says with a long reply, too, how it is taken back", () => {
    const it = terminal(SMALL, A, B);
    const words = "a long reply ".repeat(40);
    const answer = { labels: [], text: words, message: null, by: "ana", via: "tui" };
    const held = { given: {}, answer, held_at_ms: NOW, release_at_ms: NOW + 5000 } as never;
    it.desk.put({ type: "answered", decision: { ...A, held } });
    const lines = it.text().split("\n");
    assert.match(lines.at(-2) ?? "", /a long reply.*goes out in 5 s$/);
    assert.match(lines.at(-1) ?? "", /^u take it back \(5 s\)/);
  });

  it("says what became of an answer that never went out", () => {
    const it = terminal(SMALL, A, B);
    const answer = { labels: ["Yes"], text: null, message: null, by: "ana", via: "tui" };
    const held = { given: {}, answer, held_at_ms: NOW, release_at_ms: NOW + 5000 } as never;
    it.desk.put({ type: "answered", decision: { ...A, held } });
    it.desk.put({ type: "pointed", id: B.id });
    const ended = {
      type: "decision:withdrawn",
      ...about(A.id),
      reason: "rel was cancelled",
      by: "ben",
    } as const;
    it.desk.put({ type: "events", events: [{ seq: 1, at_ms: NOW, ...ended }] });
    assert.match(it.text().split("\n").at(-2) ?? "", /^dec-\w+: withdrawn: rel was cancelled, by ben/);
  });

  it("counts the questions, and not the place where they are sent", () => {
    const question = { header: null, multi_select: false, options: [{ label: "Oak", description: null }] };
    const questions = [1, 2, 3].map((at) => ({
      ...question,
      question: `Which wood for part ${at}, please?`,
    }));
    const it = terminal(SMALL, decision({ source: "question", questions }));
    assert.match(it.text(), /question 1 of 3/);
    it.press("1", "1", "1");
    assert.match(it.text(), /all 3 questions: send/);
  });

  it("names the command when the daemon is away, and how many the filter leaves", () => {
    const it = terminal(SMALL, A, B);
    it.desk.put({ type: "connection", state: "offline" });
    it.desk.put({ type: "filtered", text: "ship b" });
    assert.match(it.text(), /1 of 2 waiting for you .*\[\/ship b\].*oj daemon start/);
    it.desk.put({ type: "filtered", text: "zebra" });
    assert.match(it.text(), /0 of 2 waiting[\s\S]*no match/);
  });
});
