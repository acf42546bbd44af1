import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { agentAtWork } from "../../../../test/fakes/agents.ts";
import { hooks, screens } from "../../../../test/fakes/codex/recorded.ts";
import { fakeClock } from "../../../../test/fakes/fake-clock.ts";
import { fakeTerminals } from "../../../../test/fakes/fake-terminals.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { claudeCode } from "../../../agents/claude/client.ts";
import type { AgentClient } from "../../../agents/client.ts";
import { codex } from "../../../agents/codex/client.ts";
import { program } from "../../../agents/program/client.ts";
import type { Agent, Prompt, Reply } from "../../../core/model/agent-types.ts";
import { startTypist } from "./typist.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const claudeScreen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");

function reported(client: AgentClient, hook: object): Prompt {
  const [seen] = client.read(hook)?.seen ?? [];
  assert.equal(seen?.type, "prompted");
  return (seen as { prompt: Prompt }).prompt;
}

const asked = (tool_name: string, tool_input: object) =>
  reported(claudeCode, { hook_event_name: "PermissionRequest", tool_name, tool_input });
const question = {
  question: "Which database should we use?",
  options: ["SQLite", "Postgres"].map((label) => ({ label, description: "" })),
};

/** How often the typist looks, and how long it takes to learn whether a dialog has ended. */
const LOOKED_MS = 100;

interface Way {
  name: string;
  client: AgentClient;
  prompt: Prompt;
  reply: Reply;
  dialog: string;
  /** What the client shows once it has the answer. */
  after: string;
  keys: string[];
}

const touch = asked("Bash", { command: "touch made", description: "a test" });
const unreported = (client: AgentClient, screen: string, label: string): Pick<Way, "prompt" | "reply"> => {
  const { choices, text } = client.shown(screen) ?? assert.fail("no dialog");
  return { prompt: { ...touch, choices, input: { screen: text } }, reply: { type: "keys", keys: "", label } };
};

const claude = { client: claudeCode, after: claudeScreen("working") };
const ofCodex = { client: codex, after: screens.working, dialog: screens.command };
const WAYS: Way[] = [
  {
    name: "an approval of Claude Code",
    ...claude,
    prompt: touch,
    reply: { type: "approve", message: null },
    dialog: claudeScreen("approval-bash"),
    keys: ["1"],
  },
  {
    name: "an approval of Claude Code that only its screen told",
    ...claude,
    ...unreported(claudeCode, claudeScreen("approval-bash"), "Yes"),
    dialog: claudeScreen("approval-bash"),
    keys: ["1"],
  },
  {
    name: "a question of Claude Code",
    ...claude,
    prompt: asked("AskUserQuestion", { questions: [question] }),
    reply: {
      type: "answers",
      message: null,
      answers: [{ question: question.question, labels: ["Postgres"], text: null }],
    },
    dialog: claudeScreen("question-one"),
    keys: ["2"],
  },
  {
    name: "a plan of Claude Code",
    ...claude,
    prompt: asked("ExitPlanMode", { plan: "# Plan\n\n1. Tear it down\n2. Build it\n\n#s:x\n" }),
    reply: { type: "accept", mode: "manual", message: null },
    dialog: claudeScreen("plan"),
    keys: ["3"],
  },
  {
    name: "an approval of Codex",
    ...ofCodex,
    prompt: reported(codex, hooks.asks),
    reply: { type: "approve", message: null },
    keys: ["1"],
  },
  {
    name: "an approval of Codex that only its screen told",
    ...ofCodex,
    ...unreported(codex, screens.command, "Yes, proceed"),
    keys: ["Enter"],
  },
];

/**
 * A program whose dialog a key ends, and which asks the very same again while the record of the first is being read. Time
 * passes when the test says so.
 */
async function stage(
  { client, prompt, reply, dialog, after }: Way,
  isOpen: () => boolean,
  { againMs = LOOKED_MS + 50, hasTwin = true, lost = 0 } = {},
) {
  const clock = fakeClock();
  const terminals = fakeTerminals(clock.now);
  const id = "agt-1";
  await terminals.start({ agent_id: id, argv: ["x"], cwd: "/", env: {}, columns: 130, rows: 60 });
  const program = terminals.program(id);
  const pressed: string[] = [];
  program.setScreen(dialog);
  program.onKeys = (keys) => {
    pressed.push(...keys);
    if (pressed.length <= lost) return;
    program.setScreen(after);
    clock.after(againMs, () => program.setScreen(dialog));
  };
  const agent = { id, prompt } as unknown as Agent;
  let came = "";
  const typist = startTypist({ terminals, clock });
  const choose = () => {
    came = "";
    const open = async () => {
      await new Promise<void>((resolve) => clock.after(LOOKED_MS, resolve));
      return isOpen();
    };
    typist
      .choose(agent, client, reply, open, undefined, async () => hasTwin)
      .then(
        (choice) => (came = choice),
        (error) => (came = error.message),
      );
  };
  choose();
  const pass = async (ms: number) => {
    for (let left = ms; left > 0 && came === ""; left -= 100) {
      clock.pass(100);
      await settled(3);
    }
  };
  return { pressed, pass, choose, came: () => came };
}

describe("an answer by keys to a dialog that comes again, just like it", () => {
  it.each(WAYS)("$name: is given once, however late the end of the first is known", async (way) => {
    let isOpen = true;
    const { pressed, pass, came } = await stage(way, () => isOpen);
    await pass(10_000);
    assert.deepEqual(pressed, way.keys);
    isOpen = false;
    await pass(1000);
    assert.equal(came(), "chosen");
    assert.deepEqual(pressed, way.keys);
  });

  it.each(WAYS)("$name: is given once, even if the next one is there before anybody looks", async (way) => {
    let isOpen = true;
    const { pressed, pass, choose, came } = await stage(way, () => isOpen, { againMs: 10 });
    await pass(30_000);
    assert.match(came(), /it can't be told|a call just like it is asked about now/);
    choose(); // what failed is tried again
    await pass(10_000);
    assert.deepEqual(pressed, way.keys);
    isOpen = false;
    await pass(1000);
    assert.equal(came(), "chosen");
    assert.deepEqual(pressed, way.keys);
  });

  it.each(WAYS)("$name: is given again if its key got lost and no other call looks like it", async (way) => {
    const { pressed, pass } = await stage(way, () => true, { hasTwin: false, lost: 1 });
    await pass(10_000);
    assert.equal(pressed.length, 2);
  });
});

describe("a key for a program's prompt, which only its screen tells", () => {
  const screen = "Delete everything? [y/N]";
  const reply: Reply = { type: "keys", keys: "y Enter", label: "Yes" };
  const options = [{ label: "Yes", keys: "y Enter" }];

  /** What the program does with its `n`th key is up to the test. */
  async function asking(onKey: (n: number, it: { print(text: string): void }) => void) {
    const clock = fakeClock();
    const terminals = fakeTerminals(clock.now);
    await terminals.start({ agent_id: "agt-1", argv: ["x"], cwd: "/", env: {}, columns: 80, rows: 24 });
    const it = terminals.program("agt-1");
    it.setScreen(screen);
    let pressed = 0;
    it.onKeys = () => onKey(++pressed, it);
    const { agent } = agentAtWork({ prompts: [{ match: "Delete .*\\?", options }] });
    const prompt = program.declared(agent(), screen);
    const typist = startTypist({ terminals, clock });
    const choose = async () => {
      const at = { ...agent(), id: "agt-1", prompt } as const;
      let came = "";
      const noted = (text: string) => {
        came = text;
      };
      typist.choose(at, program, reply, async () => true).then(noted, (error: Error) => noted(error.message));
      for (let n = 0; n < 300 && came === ""; n++) {
        clock.pass(100);
        await settled(3);
      }
      return came;
    };
    return { choose, pressed: () => pressed, it };
  }

  it("is pressed once, though its next prompt looks just like it", async () => {
    const { choose, pressed } = await asking((_, it) =>
      it.print("y\r\n\u001b[H\u001b[2JDelete everything? [y/N]"),
    );
    assert.deepEqual([await choose(), pressed()], ["chosen", 1]);
  });

  it("is pressed once, however long the program says nothing, and its first word is the receipt", async () => {
    const { choose, pressed, it } = await asking(() => {});
    assert.deepEqual([await choose(), pressed()], ["the dialog did not react to y Enter", 1]);
    assert.deepEqual([await choose(), pressed()], ["the dialog did not react to y Enter", 1]);
    it.print("Deleting");
    assert.deepEqual([await choose(), pressed()], ["chosen", 1]);
  });
});

/** A terminal that gets to what it is told only when the test says so, as tmux does on a loaded machine. */
async function slowStage(client: AgentClient, shown: string) {
  const clock = fakeClock();
  const terminals = fakeTerminals(clock.now);
  await terminals.start({ agent_id: "agt-1", argv: ["x"], cwd: "/", env: {}, columns: 130, rows: 60 });
  const program = terminals.program("agt-1");
  const got: string[] = [];
  program.setScreen(shown);
  program.onKeys = (keys) => void got.push(...keys.filter((it) => !it.startsWith("C-")));
  const held: (() => void)[] = [];
  const until = () => new Promise<void>((resolve) => held.push(resolve));
  const press = terminals.press.bind(terminals);
  const slow = Object.assign({}, terminals, {
    press: async (...all: Parameters<typeof press>) => {
      await until();
      return press(...all);
    },
  });
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      clock.pass(100);
      await settled(3);
    }
  };
  const typist = startTypist({ terminals: slow, clock });
  const getsToIt = async () => {
    held.shift()?.();
    await settled(3);
  };
  return { typist, program, got, pass, getsToIt, client };
}

const otherClaude = claudeScreen("approval-bash").replaceAll("touch made", "rm -rf made");

describe("a key that the terminal gets to late", () => {
  const approvals = WAYS.filter(
    (it) => it.client === claudeCode && it.dialog === claudeScreen("approval-bash"),
  );
  it.each(approvals)("$name: does not answer the next dialog", async ({ client, prompt, reply, dialog }) => {
    const { typist, program, got, pass, getsToIt } = await slowStage(client, dialog);
    let isOpen = true;
    const agent = { id: "agt-1", prompt } as unknown as Agent;
    const choice = typist.choose(agent, client, reply, async () => isOpen);
    await pass(2000);
    program.setScreen(otherClaude); // somebody answered in the terminal, and this is what it asks now
    await getsToIt();
    isOpen = false;
    await pass(1000);
    assert.deepEqual([await choice, got], ["late", []]);
  });

  it.each([
    ["Claude Code", claudeCode, claudeScreen("idle"), claudeScreen("approval-bash")],
    ["Codex", codex, screens.idle, screens.command],
  ])("submits no words into a dialog that is there by then (%s)", async (_, client, idle, dialog) => {
    const { typist, program, got, pass, getsToIt } = await slowStage(client, idle);
    program.onText = (text) => program.setScreen(idle.replace(/^([❯›]) ?.*$/m, `$1 ${text}`));
    const told = typist.say({ id: "agt-1" } as unknown as Agent, client, "Go on with it.").then(
      () => "said",
      (error: Error) => error.name,
    );
    await getsToIt(); // the keys that clear its composer
    await pass(1000);
    program.setScreen(dialog);
    await getsToIt();
    assert.deepEqual([await told, got], ["Changed", []]);
  });
});

describe("words for one agent from two sides at once", () => {
  const AT = { id: "agt-1" } as unknown as Agent;

  /** A composer that takes texts and says them with Enter. */
  async function composer() {
    const idle = claudeScreen("idle");
    const { typist, program, pass, getsToIt, client } = await slowStage(claudeCode, idle);
    let composed = "";
    const said: string[] = [];
    const draw = () => program.setScreen(idle.replace(/^❯ ?.*$/m, `❯ ${composed}`));
    program.onText = (text) => {
      composed += text;
      draw();
    };
    program.onKeys = (keys) => {
      if (keys.includes("Enter")) said.push(composed);
      composed = "";
      draw();
    };
    const over = async (all: Promise<unknown>[]) => {
      let isOver = false;
      void Promise.allSettled(all).then(() => (isOver = true));
      for (let n = 0; n < 200 && !isOver; n++) {
        await getsToIt();
        await pass(100);
      }
    };
    return { typist, client, said, over };
  }

  it("are said one after the other, however long it takes to ask whether they are due", async () => {
    const { typist, client, said, over } = await composer();
    await over([
      typist.say(AT, client, "First.", () => settled(20).then(() => true)),
      typist.say(AT, client, "Second."),
    ]);
    assert.deepEqual(said, ["First.", "Second."]);
  });

  it("are not said if they are not due when their turn comes, which holds nobody up", async () => {
    const { typist, client, said, over } = await composer();
    const told = typist.say(AT, client, "First.", async () => false).catch((error: Error) => error.message);
    await over([told, typist.say(AT, client, "Second.")]);
    assert.deepEqual([await told, said], ["it has been told in another way", ["Second."]]);
  });
});
