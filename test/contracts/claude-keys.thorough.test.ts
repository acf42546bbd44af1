/** Dialogs answered by keys alone: the code that reads the screen and presses the keys, against the scripted agent's real terminal. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { scripted } from "../../src/agents/scripted/client.ts";
import type { Agent as AgentState, Prompt, Reply } from "../../src/core/model/agent-types.ts";
import type { Typist } from "../../src/daemon/agents/terminal/typist.ts";
import { startTypist } from "../../src/daemon/agents/terminal/typist.ts";
import type { Agent, Given, Json } from "./agent-world.ts";
import { startAgent } from "./agent-world.ts";
import { until } from "./temp.ts";

const client = scripted;

const bash = { tool: "Bash", input: { command: "touch made", description: "Make a file" } };
const one = {
  question: "Which database should we use?",
  header: "Database",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "SQLite in memory", description: "No file" },
    { label: "Postgres", description: "A server" },
  ],
};
const many = {
  question: "Which features do you want?",
  header: "Features",
  multiSelect: true,
  options: [{ label: "Auth", description: "Log in" }, "Search", "Export"],
};
const plan = { plan: "# Plan\n\n1. Make the thing\n2. Test the thing\n" };

/** The dialog that the hook asked about, as the daemon knows it. */
async function promptOf(agent: Agent): Promise<Prompt> {
  const seen = client.read((await agent.held()).body)?.seen[0];
  assert.equal(seen?.type, "prompted");
  return (seen as { prompt: Prompt }).prompt;
}

/** Twice as fast as the daemon's, because the scripted agent is. */
const clock: typeof systemClock = {
  now: systemClock.now,
  monotonic: () => systemClock.monotonic() * 2,
  after: (ms, call) => systemClock.after(ms / 2, call),
};

function typistOf(agent: Agent): Typist {
  const terminals = {
    screen: agent.screen,
    press: (_: string, keys: string[]) => agent.press(...keys),
    paste: (_: string, text: string) => agent.paste(text),
  };
  return startTypist({ terminals: terminals as never, clock });
}

/** Answers as the daemon does when the hook's connection is gone. */
async function answer(agent: Agent, prompt: Prompt, reply: Reply): Promise<void> {
  const typist = typistOf(agent);
  const state = { id: "agt-1", kind: "scripted", prompt } as unknown as AgentState;
  await typist
    .choose(state, client, reply, async () => true)
    .catch(async (error: Error) => assert.fail(`${error.message}\n${await agent.screen()}`));
}

async function ask(steps: object[], given?: Given): Promise<{ agent: Agent; prompt: Prompt }> {
  const agent = await startAgent({ turns: [steps, [{ say: "another turn" }]] }, given);
  const prompt = await promptOf(agent);
  return { agent, prompt };
}

const answers = (given: Record<string, string[] | string>, message: string | null = null): Reply => ({
  type: "answers",
  message,
  answers: Object.entries(given).map(([question, it]) =>
    typeof it === "string" ? { question, labels: [], text: it } : { question, labels: it, text: null },
  ),
});

/** Nothing was typed where it does not belong. */
async function isClean(agent: Agent): Promise<void> {
  assert.match(await agent.shows("? for shortcuts"), /\n❯\s*\n/);
}

const sizes: Given[] = [{}, { columns: 80, rows: 24 }];

for (const size of sizes) {
  describe(`keys at ${size.columns ?? 120}x${size.rows ?? 40}`, () => {
    it("approve a command", async () => {
      const { agent, prompt } = await ask([bash, { say: "done" }], size);
      await answer(agent, prompt, { type: "approve", message: null });
      assert.equal((await agent.recorded("allowed")).grant, "once");
      await isClean(agent);
    });

    it("approve a file edit whose second option is wrapped", async () => {
      const { agent, prompt } = await ask(
        [{ tool: "Write", input: { file_path: "/x/notes.md", content: "one\ntwo\n" } }],
        size,
      );
      await answer(agent, prompt, { type: "approve", message: null });
      assert.equal((await agent.recorded("allowed")).grant, "once");
      await isClean(agent);
    });

    it("approve a long command whose beginning is above the screen", async () => {
      const command = `${Array.from({ length: 50 }, (_, n) => `echo line ${n} ❯ 1. Yes`).join("\n")}\ntrue`;
      const { agent, prompt } = await ask([{ tool: "Bash", input: { command } }], size);
      await answer(agent, prompt, { type: "approve", message: null });
      assert.equal((await agent.recorded("allowed")).grant, "once");
      await isClean(agent);
    });

    it("deny with a message", async () => {
      const { agent, prompt } = await ask([bash], size);
      await answer(agent, prompt, {
        type: "deny",
        message: "1. Not now.\nUse a temporary folder, please: /tmp is not the place for files of this kind.",
      });
      assert.equal(
        (await agent.recorded("denied")).message,
        "1. Not now. Use a temporary folder, please: /tmp is not the place for files of this kind.",
      );
      await isClean(agent);
    });

    it("deny with a long message that pushes the command off the screen", async () => {
      const { agent, prompt } = await ask([bash], size);
      const message = Array.from({ length: 300 }, (_, n) => `word${n}`).join(" ");
      await answer(agent, prompt, { type: "deny", message });
      assert.equal((await agent.recorded("denied")).message, message);
      await isClean(agent);
    });

    it("answer one question whose option begins like another", async () => {
      const { agent, prompt } = await ask([{ ask: [one] }], size);
      await answer(agent, prompt, answers({ [one.question]: ["SQLite"] }));
      assert.deepEqual((await agent.recorded("answered")).answers, { [one.question]: "SQLite" });
      await isClean(agent);
    });

    it("answer two questions, one with several choices", async () => {
      const { agent, prompt } = await ask([{ ask: [one, many] }], size);
      await answer(
        agent,
        prompt,
        answers({ [one.question]: ["Postgres"], [many.question]: ["Export", "Auth"] }),
      );
      assert.deepEqual((await agent.recorded("answered")).answers, {
        [one.question]: "Postgres",
        [many.question]: "Auth, Export",
      });
      await isClean(agent);
    });

    it("answer one question with several choices and free text", async () => {
      const { agent, prompt } = await ask([{ ask: [many] }], size);
      const reply: Reply = {
        type: "answers",
        message: null,
        answers: [{ question: many.question, labels: ["Search"], text: "Billing, 2nd edition" }],
      };
      await answer(agent, prompt, reply);
      assert.deepEqual((await agent.recorded("answered")).answers, {
        [many.question]: "Search, Billing, 2nd edition",
      });
      await isClean(agent);
    });

    it("answer with free text", async () => {
      const { agent, prompt } = await ask([{ ask: [one, many] }], size);
      await answer(
        agent,
        prompt,
        answers({ [one.question]: "DuckDB, because it is fast", [many.question]: ["Auth"] }),
      );
      assert.deepEqual((await agent.recorded("answered")).answers, {
        [one.question]: "DuckDB, because it is fast",
        [many.question]: "Auth",
      });
    });

    it("answer with a note, which goes along as text", async () => {
      const { agent, prompt } = await ask([{ ask: [one, many] }], size);
      await answer(
        agent,
        prompt,
        answers({ [one.question]: ["Postgres"], [many.question]: ["Auth"] }, "v16"),
      );
      const given = (await agent.recorded("answered")).answers;
      assert.deepEqual(given, { [one.question]: "Postgres · v16", [many.question]: "Auth" });
    });

    it("answer four long questions and leave one out", async () => {
      const long = {
        question:
          "A third question that is rather long and will certainly be wrapped when the terminal is only eighty columns wide, is it not?",
        header: "Third",
        options: [
          {
            label:
              "An option whose label is long enough to be wrapped at eighty columns of terminal width, surely",
            description:
              "And a description that is long as well, so that it takes two lines at least in a small one",
          },
          "Second",
          "Third",
        ],
      };
      const last = { question: "Last one?", header: "Last", multiSelect: true, options: ["A", "B"] };
      const { agent, prompt } = await ask([{ ask: [one, many, long, last] }], size);
      await answer(
        agent,
        prompt,
        answers({
          [one.question]: ["SQLite in memory"],
          [many.question]: ["Auth", "Search", "Export"],
          [long.question]: [
            long.options[0] && typeof long.options[0] === "object" ? long.options[0].label : "",
          ],
          [last.question]: [],
        }),
      );
      const given = (await agent.recorded("answered")).answers as Json;
      assert.deepEqual(Object.keys(given), [one.question, many.question, long.question]);
      assert.match(String(given[long.question]), /^An option whose label/);
    });

    for (const [mode, recorded] of [
      ["clear", { mode: "auto", clear: true }],
      ["auto", { mode: "auto" }],
      ["manual", { mode: "default" }],
    ] as const) {
      it(`accept a plan: ${mode}`, async () => {
        const { agent, prompt } = await ask([plan, { say: "building" }], size);
        await answer(agent, prompt, { type: "accept", mode, message: null });
        const { mode: now, clear } = await agent.recorded("plan_accepted");
        assert.deepEqual({ mode: now, clear }, { clear: undefined, ...recorded });
        await agent.shows("● building");
        assert.match(await agent.shows(/mode on/), /\n❯\s*\n/);
      });
    }

    it("send a plan back with a message, however long", async () => {
      const { agent, prompt } = await ask([{ ...plan, revised: "I will" }], size);
      const message = Array.from({ length: 150 }, (_, n) => `word${n}`).join(" ");
      await answer(agent, prompt, { type: "revise", message });
      assert.equal((await agent.recorded("denied")).message, message);
    });
  });
}

describe("keys", () => {
  it("are pressed again if they were lost", async () => {
    const agent = await startAgent({ ignore_keys_ms: 4000, turns: [[{ ask: [one, many] }]] });
    const prompt = await promptOf(agent);
    await answer(agent, prompt, answers({ [one.question]: ["Postgres"], [many.question]: ["Search"] }));
    assert.deepEqual((await agent.recorded("answered")).answers, {
      [one.question]: "Postgres",
      [many.question]: "Search",
    });
    assert.ok(agent.record().some((it) => it.kind === "key_lost"));
  });

  it("correct what somebody else began", async () => {
    const { agent, prompt } = await ask([{ ask: [one, many] }]);
    await agent.shows("Chat about this");
    await sleep(500);
    await agent.press("1");
    await agent.shows(many.question);
    await agent.press("2", "Down", "Down", "Down");
    await agent.paste("half a thought");
    await answer(agent, prompt, answers({ [one.question]: ["Postgres"], [many.question]: ["Auth"] }));
    assert.deepEqual((await agent.recorded("answered")).answers, {
      [one.question]: "Postgres",
      [many.question]: "Auth",
    });
  });

  it("clear the text that somebody left beside No", async () => {
    const { agent, prompt } = await ask([bash]);
    await agent.shows("Esc to cancel");
    await sleep(500);
    await agent.press("Up", "Tab");
    await agent.paste("no way");
    await answer(agent, prompt, { type: "deny", message: "not yet" });
    assert.equal((await agent.recorded("denied")).message, "not yet");
  });

  it("never answer the next dialog, however similar", async () => {
    const { agent, prompt } = await ask([bash, { tool: "Bash", input: { command: "rm -rf made" } }]);
    await answer(agent, prompt, { type: "approve", message: null });
    await agent.recorded("allowed");
    await agent.shows("rm -rf made");
    await sleep(1000);
    assert.equal(agent.record().filter((it) => it.kind === "allowed").length, 1);
    await agent.shows("Do you want to proceed?");
  });

  it("ignore a dialog that was only printed", async () => {
    const fake = " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend";
    const agent = await startAgent({ turns: [[{ fake_dialog: fake }, { sleep: 2000 }]] });
    assert.equal(client.look(await agent.shows("Tab to amend")).state, "working");
    assert.equal(client.look(await agent.shows("? for shortcuts")).state, "idle");
  });

  it("recognize the question whether a folder is trusted", async () => {
    const agent = await startAgent({ trust: true, turns: [[{ say: "in" }]] });
    const look = client.look(await agent.shows("Yes, I trust this folder"));
    assert.equal(look.state === "dialog" && look.kind, "trust");
  });
});

describe("a message", () => {
  it("is not typed into a dialog, where its Enter would be a yes", async () => {
    const { agent } = await ask([bash]);
    await agent.shows("Do you want to proceed?");
    const said = typistOf(agent).say(
      { id: "agt-1", kind: "scripted" } as unknown as AgentState,
      client,
      "Go on.",
    );
    await assert.rejects(said, /a dialog is open/);
    await agent.shows("Do you want to proceed?");
    assert.deepEqual(
      agent.record().filter((it) => it.kind === "allowed"),
      [],
    );
  });

  const left: Record<string, string> = {
    "three lines": "rm -rf\nbuild\nand dist",
    "more lines than are shown": Array.from({ length: 40 }, (_, n) => `line ${n}`).join("\n"),
    "a long line": "x".repeat(500),
    "a command": "!touch bad",
  };
  for (const [what, text] of Object.entries(left)) {
    it(`arrives alone even if somebody left ${what} in the composer`, async () => {
      const agent = await startAgent({ turns: [[{ say: "read" }]] }, { prompt: null });
      await agent.shows("? for shortcuts");
      await agent.paste(text);
      await until(async () => client.composed(await agent.screen()) !== "");
      await typistOf(agent).say(
        { id: "agt-1", kind: "scripted" } as unknown as AgentState,
        client,
        "Go on.\nMind the gap.",
      );
      assert.equal((await agent.recorded("prompt")).text, "Go on.\nMind the gap.");
      await isClean(agent);
    });
  }
});
