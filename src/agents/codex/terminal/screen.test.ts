import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hooks, patch, questions, screens } from "../../../../test/fakes/codex/recorded.ts";
import type { Prompt, Reply } from "../../../core/model/agent-types.ts";
import { codex } from "../client.ts";
import { promptOf } from "../hooks.ts";
import { composerOn, dialogOn, lookAt } from "./screen.ts";

const command = (text: string): Prompt => promptOf({ tool_name: "Bash", tool_input: { command: text } });
const asked = promptOf(hooks.asks);
const question = promptOf({ tool_name: "request_user_input", tool_input: { questions } });
const patching = promptOf(hooks.asksPatch);
const pressed = [{ type: "press", keys: ["3"] }] as const;
const keys = (prompt: Prompt, reply: Reply, screen: string, done: readonly (typeof pressed)[number][] = []) =>
  codex.keys(prompt, reply, screen, done as never);

describe("a screen of Codex", () => {
  it("is idle, working, or has a dialog", () => {
    const states = Object.entries(screens).map(([name, screen]) => {
      const look = lookAt(screen);
      return [name, look.state === "dialog" ? look.kind : look.state];
    });
    assert.deepEqual(Object.fromEntries(states), {
      idle: "idle",
      drafted: "idle",
      working: "working",
      interrupted: "idle",
      command: "approval",
      long: "approval",
      tall: "approval",
      patch: "approval",
      question: "question",
      noted: "question",
      wrapped: "question",
      trust: "trust",
      hooks: "other",
    });
    assert.equal(lookAt("").state, "unknown");
    assert.equal(lookAt(screens.working.replace("◦ ", "")).state, "working"); // without animations
  });

  it("has what somebody began to write; the client's own suggestion is nothing", () => {
    assert.equal(composerOn(screens.idle)?.text, "");
    assert.equal(composerOn(screens.drafted)?.text, "first line\nsecond line #s:hi");
    assert.equal(composerOn(screens.command), null);
  });

  it("has options with their labels, without keys and descriptions", () => {
    const labels = (screen: string) => dialogOn(screen)?.options.map((it) => it.label);
    assert.deepEqual(labels(screens.long), ["Yes, proceed", "No, and tell Codex what to do differently"]);
    assert.deepEqual(labels(screens.question), ["Postgres (Recommended)", "SQLite", "None of the above"]);
    assert.equal(
      labels(screens.wrapped)?.[0],
      "A database with a rather long name that needs wrapping because it is so long that no terminal has room (Recommended)",
    );
  });

  it("shows words that were said, and not those in the composer", () => {
    assert.equal(codex.timesSaid(screens.drafted, "#s:ask please"), 1);
    assert.equal(codex.timesSaid(screens.drafted, "first line"), 0);
    assert.equal(codex.heard(screens.idle), "words and reply");
  });

  it("offers to trust the folder, and what else it asks as it starts", () => {
    assert.deepEqual(codex.shown(screens.trust)?.trust, { label: "Trust and continue", keys: "1" });
    assert.equal(codex.shown(screens.hooks)?.trust, null);
    assert.equal(codex.shown(screens.hooks)?.choices.length, 3);
  });
});

describe("a dialog of Codex", () => {
  it("is known by the whole command", () => {
    assert.ok(codex.shows(asked, screens.command));
    for (const other of [
      "touch /tmp/cx/made.txt2",
      "touch /tmp/cx/made",
      "touch  /tmp/cx /made.txt",
      "touch",
    ])
      assert.ok(!codex.shows(command(other), screens.command), other);
    const long = `for i in 1 2 3; do\n  echo "line $i of a rather long command that wraps around because it is wider than the terminal could ever be $i"\ndone\necho 'x\ty' > /tmp/cx/long.txt`;
    assert.ok(codex.shows(command(long), screens.long));
    assert.ok(!codex.shows(command(`${long}; rm -rf .`), screens.long));
  });

  it("of a command that is taller than the screen is known by its beginning", () => {
    const tall = Array.from({ length: 60 }, (_, n) => `echo line ${n}`).join("\n");
    assert.ok(codex.shows(command(tall), screens.tall));
    assert.ok(!codex.shows(command(tall.replace("line 1", "line 7")), screens.tall));
  });

  it("about a patch is known by every file that it touches", () => {
    assert.ok(codex.shows(patching, screens.patch));
    const touching = (lines: string) =>
      promptOf({ tool_name: "apply_patch", tool_input: { command: lines } });
    assert.ok(!codex.shows(touching(patch.replace("new.txt", "other.txt")), screens.patch));
    const more = patch.replace("*** End", "*** Delete File: gone.txt\n*** End");
    assert.ok(!codex.shows(touching(more), screens.patch));
    assert.ok(!codex.shows(asked, screens.patch));
  });

  it("is answered by the option with the right words", () => {
    assert.deepEqual(keys(asked, { type: "approve", message: null }, screens.command), send("1"));
    assert.deepEqual(keys(asked, { type: "deny", message: "No." }, screens.command), send("3"));
    assert.deepEqual(keys(command("ls"), { type: "approve", message: null }, screens.command), {
      type: "wait",
    });
    assert.equal(
      keys(asked, { type: "accept", mode: "auto", message: null }, screens.command).type,
      "give-up",
    );
  });

  it("that only the screen shows is answered by moving the cursor, then Enter", () => {
    const menu = codex.shown(screens.trust) ?? assert.fail();
    const shown = { ...asked, choices: menu.choices, input: { prompt: menu.asks, screen: menu.text } };
    const choose = (label: string) => keys(shown, { type: "keys", keys: "", label }, screens.trust);
    assert.deepEqual([choose("Trust and continue"), choose("Quit")], [send("Enter"), press("2")]);
    assert.equal(choose("Leave").type, "give-up");
  });

  it("that was denied ends the turn, and the reason follows as a prompt", () => {
    const deny = { type: "deny", message: "!No." } as const;
    assert.deepEqual(keys(asked, deny, screens.interrupted, pressed), {
      type: "type",
      text: "The user says: !No.",
    });
    const typed = screens.interrupted.replace("Ask Codex to do anything", "The user says: !No.");
    assert.deepEqual(keys(asked, deny, typed, pressed), press("Enter"));
    const foreign = screens.interrupted.replace("Ask Codex to do anything", "somebody's words");
    assert.deepEqual(keys(asked, deny, foreign, pressed), press("C-u"));
    assert.deepEqual(keys(asked, deny, screens.working, pressed), { type: "wait" }); // the turn is about to end
    const told = [...pressed, { type: "type", text: "The user says: !No." }] as never;
    assert.deepEqual(keys(asked, deny, screens.working, told), { type: "done" });
    assert.deepEqual(keys(asked, deny, screens.patch, pressed), { type: "done" }); // it asks something else
  });
});

describe("a question of Codex", () => {
  const answers = (database: object, colour: object, message: string | null = null): Reply => ({
    type: "answers",
    answers: [
      { question: "Which database?", labels: [], text: null, ...database },
      { question: "Which colour?", labels: [], text: null, ...colour },
    ],
    message,
  });
  const plain = answers({ labels: ["SQLite"] }, { labels: ["Blue"] });

  it("is answered by the option's number; no answer goes to another question", () => {
    assert.deepEqual(keys(question, plain, screens.question), press("2"));
    assert.deepEqual(keys(question, plain, screens.wrapped), { type: "wait" });
    const other = { ...question, questions: question.questions.toReversed() };
    assert.deepEqual(keys(other, plain, screens.question), { type: "wait" });
    const unknown = answers({ labels: ["MySQL"] }, { labels: ["Blue"] });
    assert.equal(keys(question, unknown, screens.question).type, "give-up");
  });

  it("takes own words and messages as a note beside the option", () => {
    const own = answers({ text: "MySQL" }, { labels: ["Red"] }, "Be quick.");
    assert.deepEqual(keys(question, own, screens.question), press("Down")); // to "None of the above"
    const chosen = answers({ labels: ["Postgres (Recommended)"] }, { labels: ["Red"], note: "dark\nplease" });
    assert.deepEqual(keys(question, chosen, screens.noted), send("Enter")); // the last question
    const noted = answers({ labels: ["Postgres (Recommended)"] }, { labels: ["Red"] }, "Be quick.");
    assert.deepEqual(keys(question, noted, screens.question), press("Tab"));
    assert.deepEqual(keys(question, plain, screens.noted), press("Tab")); // somebody else's note is cleared
    const empty = screens.noted.replace("dark please", "Add notes");
    assert.deepEqual(keys(question, chosen, empty), { type: "type", text: "dark please" });
  });
});

function press(...it: string[]) {
  return { type: "press", keys: it };
}

function send(key: string) {
  return { type: "press", keys: [key], sends: true };
}
