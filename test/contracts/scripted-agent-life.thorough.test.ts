/** The scripted agent's turns and its life: prompts, errors, background work, death and resumption, and what a hostile one does. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, it } from "vitest";
import type { Agent } from "./agent-world.ts";
import { startAgent } from "./agent-world.ts";
import { tempFolder, until } from "./temp.ts";

const run = promisify(execFile);
const PROGRAM = path.join(import.meta.dirname, "../../dist/oj-agent.cjs");

const count = (agent: Agent, name: string) => agent.names().filter((it) => it === name).length;
const idle = (agent: Agent) => agent.shows("? for shortcuts");

async function submit(agent: Agent, text: string): Promise<void> {
  await agent.paste(text);
  await sleep(100);
  await agent.press("Enter");
}

describe("a prompt", () => {
  it("starts the next turn; the last turn repeats", async () => {
    const agent = await startAgent(
      { turns: [[{ say: "one" }], [{ say: "two: {{prompt}}" }]] },
      { prompt: null },
    );
    await idle(agent);
    assert.deepEqual(agent.names(), ["SessionStart"]);
    for (const [text, said] of [
      ["a", "one"],
      ["b", "two: b"],
      ["c", "two: c"],
    ] as const) {
      await submit(agent, text);
      await agent.shows(`● ${said}`);
      await idle(agent);
    }
    assert.equal(count(agent, "Stop"), 3);
  });

  it("picks its turn by its text, and falls back to another when the turns are used up", async () => {
    const scenario = {
      match: [{ prompt: "^nudge", steps: [{ say: "nudged" }] }],
      turns: [[{ say: "one" }]],
      otherwise: [{ say: "no more" }],
    };
    const agent = await startAgent(scenario);
    await agent.shows("● one");
    await submit(agent, "nudge it");
    await agent.shows("● nudged");
    await submit(agent, "and now");
    await agent.shows("● no more");
  });

  it("arrives line by line as it was pasted, however many lines it has", async () => {
    const agent = await startAgent({ turns: [[{ say: "read" }]] }, { prompt: null });
    await idle(agent);
    const text = Array.from({ length: 60 }, (_, n) => `line ${n} – "quoted" ünï \\ $HOME`).join("\n");
    await submit(agent, text);
    assert.equal((await agent.recorded("prompt")).text, text);
    await until(() => count(agent, "UserPromptSubmit") === 1);
    assert.equal(agent.events.find((it) => it.hook_event_name === "UserPromptSubmit")?.prompt, text);
  });

  it("that is typed while the agent works waits until the turn has ended", async () => {
    const agent = await startAgent({ turns: [[{ work: 800 }, { say: "one" }], [{ say: "two" }]] });
    await agent.shows("esc to interrupt");
    await submit(agent, "next");
    await agent.shows("● two");
    await until(() => count(agent, "Stop") === 2);
    assert.deepEqual(agent.names().slice(1), ["UserPromptSubmit", "Stop", "UserPromptSubmit", "Stop"]);
  });

  it("with a leading ! is a shell command, with a leading / one of the client's; a leading blank prevents both", async () => {
    const agent = await startAgent({ turns: [[{ say: "read" }]] }, { prompt: null });
    await idle(agent);
    await submit(agent, "!touch ran-by-bang");
    await agent.recorded("shell");
    assert.ok(fs.existsSync(path.join(agent.dir, "ran-by-bang")));
    await submit(agent, "/unknown thing");
    await agent.shows("Unknown command: /unknown");
    assert.deepEqual(agent.names(), ["SessionStart"]);
    for (const text of [" !touch no", " /clear", "/tmp/path is a path"]) {
      await submit(agent, text);
      assert.equal((await agent.recorded("prompt")).text, text);
      await idle(agent);
    }
    assert.ok(!fs.existsSync(path.join(agent.dir, "no")));
  });

  it("that says /clear begins another conversation", async () => {
    const agent = await startAgent({ turns: [[{ say: "one" }], [{ say: "two" }]] });
    await agent.shows("● one");
    await submit(agent, "/clear");
    await until(() => count(agent, "SessionStart") === 2);
    await submit(agent, "go on");
    await agent.shows("● two");
    const [end, start, prompt] = agent.events.slice(3);
    assert.deepEqual([end?.reason, start?.source], ["clear", "clear"]);
    assert.notEqual(start?.session_id, agent.conversation);
    assert.equal(prompt?.session_id, start?.session_id);
  });

  it("can be cleared with Ctrl-U before it is sent, and its turn interrupted with Escape", async () => {
    const agent = await startAgent({ turns: [[{ sleep: 60_000 }], [{ say: "two" }]] });
    await agent.shows("esc to interrupt");
    await agent.press("Escape");
    await agent.shows("Interrupted");
    await idle(agent);
    assert.equal(agent.names().at(-1), "UserPromptSubmit");
    await agent.press("-l", "rubbish");
    await agent.shows("❯ rubbish");
    await agent.press("C-u");
    await submit(agent, "clean");
    await agent.shows("● two");
    await agent.recorded("prompt");
    assert.equal((await agent.recorded("prompt")).text, "clean");
  });
});

describe("the output of hooks", () => {
  it("reaches the agent: the text to start with and the text that goes with a prompt", async () => {
    const agent = await startAgent(
      { turns: [[{ expect: "tests first", of: "context" }, { say: "I know: {{context}}" }]] },
      { prompt: null },
    );
    await idle(agent);
    agent.reply("UserPromptSubmit", {
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "Run tests first." },
    });
    agent.reply("SessionStart", {
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "Branch: main" },
    });
    await submit(agent, "/clear");
    assert.equal((await agent.recorded("context")).text, "Branch: main");
    await submit(agent, "go");
    await agent.shows("I know: Run tests first.");
  });

  it("sends it back at Stop, nine times at most", async () => {
    const agent = await startAgent(
      { turns: [[{ say: "one" }]], sent_back: [{ say: "Sorry: {{message}}" }] },
      { prompt: null },
    );
    await idle(agent);
    agent.reply("Stop", { decision: "block", reason: "run the tests" });
    await submit(agent, "go");
    await until(() => count(agent, "Stop") === 9);
    await idle(agent);
    assert.equal(count(agent, "Stop"), 9);
    const active = agent.events
      .filter((it) => it.hook_event_name === "Stop")
      .map((it) => it.stop_hook_active);
    assert.deepEqual(active, [false, ...Array.from({ length: 8 }, () => true)]);
    assert.equal((await agent.recorded("sent_back")).text, "run the tests");
    assert.equal(agent.events.at(-1)?.last_assistant_message, "Sorry: run the tests");
  });

  it("is not required: without a server the agent goes on", async () => {
    const settings = {
      hooks: { PreToolUse: [{ hooks: [{ type: "http", url: "http://127.0.0.1:1/", timeout: 2 }] }] },
    };
    const agent = await startAgent(
      { turns: [[{ tool: "Read", asks: false }, { say: "done" }]] },
      { settings },
    );
    await agent.shows("● done");
    assert.match(String((await agent.recorded("hook_failed")).error), /ECONNREFUSED/);
  });

  it("is given up on after the hook's own time limit", async () => {
    const agent = await startAgent(
      { turns: [[{ say: "never" }]] },
      {
        prompt: null,
        settings: { hooks: { Stop: [{ hooks: [{ type: "command", command: "sleep 20", timeout: 0.5 }] }] } },
      },
    );
    await idle(agent);
    await submit(agent, "go");
    assert.match(String((await agent.recorded("hook_failed")).error), /SIGKILL/);
    await idle(agent);
  });
});

describe("an API error", () => {
  for (const [kind, words] of [
    ["rate_limit", /429/],
    ["authentication_failed", /401/],
    ["billing_error", /Credit balance/],
    ["server_error", /529/],
  ] as const) {
    it(`is a StopFailure: ${kind}`, async () => {
      const agent = await startAgent({ turns: [[{ error: kind }], [{ say: "again" }]] });
      await until(() => count(agent, "StopFailure") === 1);
      await idle(agent);
      const failure = agent.events.at(-1);
      assert.equal(failure?.error, kind);
      assert.match(String(failure?.last_assistant_message), words);
      assert.equal(count(agent, "Stop"), 0);
      await submit(agent, "continue");
      await agent.shows("● again");
    });
  }
});

describe("background work", () => {
  it("stops with its task named, is woken by a notification, and stops again", async () => {
    const agent = await startAgent({
      turns: [[{ background: 300, name: "npm run build", steps: [{ say: "built" }] }, { say: "end" }]],
    });
    await until(() => count(agent, "Stop") === 2);
    assert.deepEqual(agent.names().slice(1), ["UserPromptSubmit", "Stop", "UserPromptSubmit", "Stop"]);
    const [, , first, notice, last] = agent.events;
    assert.equal(Array.isArray(first?.background_tasks) && first.background_tasks.length, 1);
    assert.match(String(notice?.prompt), /^<task-notification>/);
    assert.deepEqual([last?.background_tasks, last?.last_assistant_message], [[], "end"]);
  });
});

describe("the end of the scripted agent", () => {
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 0],
  ] as const) {
    it(`by ${signal} is reported to the hooks`, async () => {
      const agent = await startAgent({ turns: [[{ sleep: 60_000 }]] });
      await until(() => count(agent, "UserPromptSubmit") === 1);
      await agent.signal(signal);
      assert.equal(await agent.ended(), code);
      assert.equal(agent.events.at(-1)?.reason, "other");
    });
  }

  it("by Ctrl-C twice is reported too", async () => {
    const agent = await startAgent({ turns: [[{ say: "one" }]] });
    await idle(agent);
    await agent.press("C-c");
    await agent.shows("Press Ctrl-C again to exit");
    await agent.press("C-c");
    assert.equal(await agent.ended(), 0);
    assert.equal(agent.events.at(-1)?.reason, "prompt_input_exit");
  });

  it("by SIGKILL or a crash is not reported", async () => {
    const agent = await startAgent({ turns: [[{ crash: "SIGKILL" }]] });
    assert.equal(await agent.ended(), 137);
    assert.equal(agent.names().at(-1), "UserPromptSubmit");
    const other = await startAgent({ turns: [[{ crash: 3 }]] });
    assert.equal(await other.ended(), 3);
    assert.equal(other.names().at(-1), "UserPromptSubmit");
  });

  it("in good order has its exit code", async () => {
    const agent = await startAgent({ turns: [[{ say: "bye" }, { exit: 4 }]] });
    assert.equal(await agent.ended(), 4);
    assert.equal(agent.names().at(-1), "SessionEnd");
  });

  it("is loud if the agent was told something unexpected", async () => {
    const agent = await startAgent({ turns: [[{ expect: "^Please" }]] });
    assert.equal(await agent.ended(), 70);
    assert.equal((await agent.recorded("expect_failed")).text, "Go");
  });
});

describe("a resumed conversation", () => {
  it("continues after the step at which it was killed, with the new prompt", async () => {
    const steps = [
      { say: "before" },
      { ask: [{ question: "Which?", options: ["A", "B"] }] },
      { say: "after: {{prompt}}" },
    ];
    const agent = await startAgent({ turns: [steps, [{ say: "next turn" }]] });
    await agent.held();
    await agent.shows("Which?");
    await agent.signal("SIGKILL");
    assert.equal(await agent.ended(), 137);
    const again = await agent.resume("The answer is B");
    await again.shows("● after: The answer is B");
    await until(() => count(again, "Stop") === 1);
    const start = again.events.filter((it) => it.hook_event_name === "SessionStart").at(-1);
    assert.deepEqual([start?.source, start?.session_id], ["resume", agent.conversation]);
    await submit(again, "more");
    await again.shows("● next turn");
  });

  it("continues inside a loop, and waits for its prompt", async () => {
    const agent = await startAgent({
      turns: [[{ loop: [{ say: "round" }, { crash: "SIGKILL" }], times: 3 }, { say: "out" }]],
    });
    assert.equal(await agent.ended(), 137);
    const second = await agent.resume(null);
    await idle(second);
    await submit(second, "go on");
    assert.equal(await second.ended(), 137);
    const third = await agent.resume("go on");
    assert.equal(await third.ended(), 137);
    const last = await agent.resume("go on");
    await last.shows("● out");
  });

  it("is refused if there is none", async () => {
    const agent = await startAgent({ turns: [[{ say: "one" }]] });
    await agent.shows("● one");
    fs.rmSync(path.join(agent.dir, "conversations"), { recursive: true });
    const again = await agent.resume("x");
    assert.equal(await again.ended(), 1);
    await again.shows("No conversation found with session ID");
  });
});

describe("steps", () => {
  it("run commands, and signal through the oj that OJ_BIN names", async () => {
    const agent = await startAgent({
      turns: [
        [
          { run: "echo $((6*7)) > made; OJ_BIN=nothing true" },
          { signal: "done", message: "it is {{prompt}}" },
        ],
      ],
    });
    const { code, output } = await agent.recorded("signal");
    assert.deepEqual([code, String(output).includes("not found")], [127, true]);
    assert.equal(fs.readFileSync(path.join(agent.dir, "made"), "utf8"), "42\n");
  });

  it("print a lot without losing the screen", async () => {
    const agent = await startAgent({
      turns: [[{ output: { bytes: 20_000_000 } }, { output: 100 }, { say: "poured" }]],
    });
    const screen = await agent.shows("● poured");
    assert.match(screen, /\n100 the quick brown fox/);
    await idle(agent);
  });

  it("look like a dialog without being one, and write escape sequences", async () => {
    const fake = " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel";
    const agent = await startAgent({
      turns: [
        [{ fake_dialog: fake }, { escape: "\u001b[31mred\u001b[0m \u001b]0;title\u0007" }, { say: "end" }],
      ],
    });
    const screen = await agent.shows("● end");
    assert.match(screen, /Do you want to proceed\?/);
    assert.match(screen, /red/);
    await idle(agent);
  });

  it("send hooks that make no sense, and floods of them", async () => {
    const agent = await startAgent({
      turns: [
        [
          { hook: "{not json" },
          { hook: { hook_event_name: 7 }, headers: { "x-oj-agent-token": "wrong" } },
          { flood: 200, seconds: 1 },
          { say: "end" },
        ],
      ],
    });
    await agent.shows("● end");
    assert.equal((await agent.recorded("hook_reply")).status, 200);
    const [, , broken, odd] = agent.events;
    assert.deepEqual([broken?.text, broken?.token], ["{not json", "secret"]);
    assert.deepEqual([odd?.hook_event_name, odd?.token], [7, "wrong"]);
    const flood = await agent.recorded("flood");
    assert.deepEqual([flood.sent, flood.ok, flood.failed], [200, 200, 0]);
  });

  it("ask first whether the folder is trusted, with the cursor on No", async () => {
    const agent = await startAgent({ trust: true, turns: [[{ say: "in" }]] });
    await agent.shows("❯ No, exit");
    await sleep(400);
    await agent.press("Down");
    await agent.shows("❯ Yes, I trust this folder");
    assert.deepEqual(agent.names(), []);
    await agent.press("Enter");
    await agent.shows("● in");
  });
});

describe("the scripted agent without a terminal", () => {
  const start = async (scenario: object, ...args: string[]) => {
    const dir = await tempFolder();
    fs.writeFileSync(path.join(dir, "s.json"), JSON.stringify(scenario));
    const argv = [PROGRAM, "--scenario", path.join(dir, "s.json"), ...args];
    return run(process.execPath, argv, {
      cwd: dir,
      env: { PATH: process.env.PATH, OJ_AGENT_HOME: dir },
    }).then(
      ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
      (error: { stdout: string; stderr: string; code: number }) => error,
    );
  };

  it("plays one turn with -p, asks nobody, and ends", async () => {
    const { stdout, code } = await start(
      {
        turns: [
          [
            { say: "Hello" },
            { ask: [{ question: "Which?", options: ["A", "B"] }], declined: "Nobody there" },
          ],
        ],
      },
      "-p",
      "Go",
    );
    assert.equal(code, 0);
    assert.match(stdout, /^Hello\nNo such tool available: AskUserQuestion.*\nNobody there\n$/);
    assert.equal((await start({ turns: [[{ error: "rate_limit" }]] }, "-p", "Go")).code, 1);
  });

  it("otherwise refuses to play, and says how", async () => {
    const { stderr, code } = await start({ turns: [[]] }, "Go");
    assert.deepEqual([code, stderr], [1, "✗ oj-agent needs a terminal; without one use -p\n"]);
  });

  it("reports everything that is wrong with a scenario", async () => {
    const { stderr, code } = await start(
      { turns: [[{ sya: "Hi" }, { tool: "Bash", reslt: "" }]] },
      "-p",
      "Go",
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /turns\[0\]\[0\]: "sya" is not a step; did you mean "say"\?\n {2}turns\[0\]\[1\]: unknown key "reslt"; did you mean "result"\?/,
    );
  });
});
