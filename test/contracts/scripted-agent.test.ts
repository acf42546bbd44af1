/** The scripted agent behaves as Claude Code does: its hooks, its dialogs, its life and death. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, it } from "vitest";
import type { Agent, Json } from "./agent-world.ts";
import { startAgent } from "./agent-world.ts";
import { until } from "./temp.ts";

const bash = {
  tool: "Bash",
  input: { command: "touch made", description: "Make a file" },
  result: "made it",
  denied: "Then not: {{message}}",
};
const one = {
  question: "Which database?",
  header: "Database",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: "A server" },
  ],
};
const many = {
  question: "Which features?",
  header: "Features",
  multiSelect: true,
  options: ["Auth", "Search", "Export"],
};

/** Keys in the first moments are lost; a person waits longer than that. */
const afterGrace = () => sleep(500);

const settled = (agent: Agent) => until(() => agent.names().includes("Stop"));

const fieldsOf = (value: unknown) => (value ?? {}) as Json;
const callsOf = (event: Json | undefined) => (event?.tool_calls ?? []) as Json[];

describe("a permission dialog", () => {
  it("is answered by the hook while it is on the screen", async () => {
    const agent = await startAgent({ turns: [[bash, { say: "All done" }]] });
    const held = await agent.held();
    assert.deepEqual(held.body.tool_input, bash.input);
    assert.equal(held.body.tool_use_id, undefined);
    const screen = await agent.shows("Do you want to proceed?");
    assert.match(
      screen,
      / ❯ 1\. Yes\n {3}2\. Yes, and always allow access to .*\n {3}3\. Yes, and switch to auto mode .*\n {3}4\. No\n\n Esc to cancel/,
    );
    held.answer({ behavior: "allow", updatedInput: bash.input });
    await agent.shows("Allowed by PermissionRequest hook");
    assert.doesNotMatch(await agent.shows("All done"), /Do you want to proceed/);
    await settled(agent);
    assert.deepEqual(agent.names(), [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "PostToolUse",
      "PostToolBatch",
      "Stop",
    ]);
    const [start, prompt, pre, , post, batch, stop] = agent.events;
    assert.deepEqual(
      [start?.source, start?.session_id, start?.token],
      ["startup", agent.conversation, "secret"],
    );
    assert.deepEqual([prompt?.prompt, prompt?.token, prompt?.other], ["Go", "secret", ""]);
    assert.equal(post?.tool_use_id, pre?.tool_use_id);
    assert.equal(fieldsOf(post?.tool_response).stdout, "made it");
    assert.equal(callsOf(batch)[0]?.tool_use_id, pre?.tool_use_id);
    assert.deepEqual(
      [stop?.last_assistant_message, stop?.stop_hook_active, stop?.background_tasks],
      ["All done", false, []],
    );
    assert.deepEqual([(await agent.recorded("allowed")).by], ["hook"]);
  });

  it("is denied by the hook with a message, and the turn goes on", async () => {
    const agent = await startAgent({ turns: [[bash, { say: "never" }]] });
    (await agent.held()).answer({ behavior: "deny", message: "Not that file" });
    await agent.shows("Then not: Not that file");
    await settled(agent);
    assert.deepEqual(agent.names().slice(3), ["PermissionRequest", "PostToolBatch", "Stop"]);
    const { message, by } = await agent.recorded("denied");
    assert.deepEqual([message, by], ["Not that file", "hook"]);
    assert.doesNotMatch(await agent.screen(), /never/);
  });

  it("ends the turn silently if the hook interrupts", async () => {
    const agent = await startAgent({ turns: [[bash], [{ say: "second" }]] });
    (await agent.held()).answer({ behavior: "deny", message: "Stop", interrupt: true });
    await agent.recorded("interrupted");
    await agent.shows("? for shortcuts");
    assert.deepEqual(agent.names().slice(3), ["PermissionRequest"]);
    await agent.paste("and now");
    await agent.press("Enter");
    await agent.shows("● second");
  });

  it("runs the hook's replacement for the call, and adopts its mode", async () => {
    const write = { tool: "Write", input: { file_path: "a.txt", content: "hello\n" }, real: true };
    const agent = await startAgent({ turns: [[{ ...bash, real: true }, write, { say: "end" }]] });
    const setMode = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    (await agent.held()).answer({
      behavior: "allow",
      updatedInput: { command: "echo other > made" },
      updatedPermissions: setMode,
    });
    await settled(agent);
    assert.equal(fs.readFileSync(path.join(agent.dir, "made"), "utf8"), "other\n");
    assert.equal(fs.readFileSync(path.join(agent.dir, "a.txt"), "utf8"), "hello\n");
    assert.equal(agent.names().filter((it) => it === "PermissionRequest").length, 1);
    await agent.shows("accept edits on");
  });

  it("answered Yes in the terminal leaves the hook's connection open, and ignores a late response", async () => {
    const agent = await startAgent({ turns: [[bash, { say: "All done" }]] });
    const held = await agent.held();
    await agent.shows("Esc to cancel");
    await afterGrace();
    await agent.press("1");
    await settled(agent);
    assert.equal(held.closed, false);
    held.answer({ behavior: "deny", message: "too late" });
    await agent.recorded("late_reply");
    assert.deepEqual(agent.names().slice(3), ["PermissionRequest", "PostToolUse", "PostToolBatch", "Stop"]);
    assert.equal((await agent.recorded("allowed")).by, "keys");
  });

  for (const key of ["4", "Escape"]) {
    it(`answered with ${key} in the terminal closes the connection at once, and nothing follows`, async () => {
      const agent = await startAgent({ turns: [[bash, { say: "never" }]] });
      const held = await agent.held();
      await agent.shows("Esc to cancel");
      await afterGrace();
      await agent.press(key);
      await until(() => held.closed);
      await agent.shows("Interrupted");
      await agent.shows("? for shortcuts");
      assert.equal(agent.names().at(-1), "PermissionRequest");
    });
  }

  it("answered No with a reason leaves it open, and the turn goes on", async () => {
    const agent = await startAgent({ turns: [[bash]] });
    const held = await agent.held();
    await agent.shows("Esc to cancel");
    await afterGrace();
    await agent.press("Up");
    await agent.shows("❯ 4. No");
    await agent.press("Tab");
    await agent.shows("No, and tell Claude what to do differently");
    await agent.paste("use mktemp");
    await agent.shows("No, use mktemp");
    await agent.press("Enter");
    await agent.shows("Then not: use mktemp");
    await settled(agent);
    assert.equal(held.closed, false);
    assert.deepEqual(agent.names().slice(4), ["PostToolBatch", "Stop"]);
    const [call] = callsOf(agent.events.at(-2));
    assert.match(String(call?.tool_response), /the user said:\nuse mktemp$/);
  });

  it("ignores keys in its first moments, and notes that in the record", async () => {
    const agent = await startAgent({ ignore_keys_ms: 5000, turns: [[bash]] });
    await agent.shows("Esc to cancel");
    await agent.press("1");
    assert.deepEqual((await agent.recorded("key_lost")).key, { type: "char", char: "1" });
    await agent.shows("Do you want to proceed?");
    await until(async () => {
      await agent.press("1");
      return agent.record().some((it) => it.kind === "allowed");
    });
  });

  it("waits while the person types", async () => {
    const PAUSE_MS = 1000; // the agent takes 1500 for a pause
    for (let tries = 5; ; tries--) {
      const agent = await startAgent({ turns: [[{ sleep: 2500 }, bash]] });
      let screen = await agent.shows("esc to interrupt");
      let [longest, last] = [0, performance.now()];
      for (let n = 0; n < 200 && !screen.includes("Waiting for permission…"); n++) {
        await agent.press("-l", `${n % 10}`);
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
        await sleep(100);
        screen = await agent.screen();
      }
      if (longest > PAUSE_MS && tries > 1) continue; // on a machine this busy, we were the ones who paused
      assert.match(screen, /❯ 0123[\s\S]*Waiting for permission…|Waiting for permission…[\s\S]*❯ 0123/);
      await agent.held();
      await agent.shows("Do you want to proceed?");
      return;
    }
  });

  it("does not appear if a PreToolUse hook denies the call, and offers Yes or No if that hook wants it asked", async () => {
    const agent = await startAgent(
      { turns: [[bash], [bash]] },
      { args: ["--permission-mode", "bypassPermissions"] },
    );
    await settled(agent);
    assert.ok(!agent.names().includes("PermissionRequest"));
    agent.reply("PreToolUse", {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" },
    });
    await agent.paste("again");
    await agent.press("Enter");
    assert.match(await agent.shows("Do you want to proceed?"), /❯ 1\. Yes\n {3}2\. No\n/);
    (await agent.held()).answer({ behavior: "allow" });
    agent.reply("PreToolUse", {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "drift",
      },
    });
    await agent.recorded("allowed");
    await agent.shows("? for shortcuts");
    await agent.paste("once more");
    await agent.press("Enter");
    assert.equal((await agent.recorded("denied")).message, "drift");
  });

  it("stays when the hook server goes away, and the keys still work", async () => {
    const agent = await startAgent({ turns: [[bash]] });
    const held = await agent.held();
    await agent.shows("Do you want to proceed?");
    held.answer({ behavior: "neither" });
    await afterGrace();
    await agent.shows("Do you want to proceed?");
    await agent.press("1");
    assert.equal((await agent.recorded("allowed")).by, "keys");
  });
});

describe("questions", () => {
  const answers = { "Which database?": "Postgres", "Which features?": "Auth, Export" };

  it("are answered by the hook, with notes", async () => {
    const agent = await startAgent({ turns: [[{ ask: [one, many] }, { say: "So: {{answer}}" }]] });
    const held = await agent.held();
    assert.equal(held.body.tool_name, "AskUserQuestion");
    const input = held.body.tool_input as Json;
    held.answer({
      behavior: "allow",
      updatedInput: { ...input, answers, annotations: { "Which database?": { notes: "v16" } } },
    });
    await agent.shows("So: Postgres, Auth, Export");
    await settled(agent);
    const post = agent.events.find((it) => it.hook_event_name === "PostToolUse");
    assert.deepEqual(fieldsOf(post?.tool_response).answers, answers);
    const { text, by } = await agent.recorded("answered");
    assert.match(
      String(text),
      /^The user answered: "Which database\?"="Postgres" notes: v16, "Which features\?"="Auth, Export"/,
    );
    assert.equal(by, "hook");
  });

  it("stay on the screen if the hook allows without answers", async () => {
    const agent = await startAgent({ turns: [[{ ask: [one] }]] });
    (await agent.held()).answer({ behavior: "allow" });
    await agent.shows("Which database?");
    await afterGrace();
    await agent.press("2");
    const { text, by } = await agent.recorded("answered");
    assert.equal(
      text,
      `Your questions have been answered: "Which database?"="Postgres". You can now continue with these answers in mind.`,
    );
    assert.equal(by, "keys");
  });

  it("are answered by keys, and reviewed before they are sent", async () => {
    const agent = await startAgent({ turns: [[{ ask: [one, many] }]] });
    const held = await agent.held();
    await agent.shows("Which database?");
    await afterGrace();
    await agent.press("2");
    assert.match(await agent.shows("Which features?"), /← {2}☒ Database {2}☐ Features {2}✔ Submit {2}→/);
    await agent.press("1");
    await agent.press("3");
    await agent.shows("3. [✔] Export");
    await agent.press("Right");
    assert.match(
      await agent.shows("Review your answers"),
      /● Which database\?\n {3}→ Postgres\n ● Which features\?\n {3}→ Auth, Export/,
    );
    await agent.press("1");
    assert.deepEqual((await agent.recorded("answered")).answers, answers);
    assert.equal(held.closed, false);
  });

  it("take free text, alone or beside choices", async () => {
    const agent = await startAgent({ turns: [[{ ask: [one, many] }]] });
    await agent.shows("Which database?");
    await afterGrace();
    await agent.press("3");
    await agent.shows("❯ 3. Type something.");
    await agent.paste("DuckDB, in memory");
    await agent.shows("❯ 3. DuckDB, in memory");
    await agent.press("Enter");
    await agent.shows("Which features?");
    await agent.press("2");
    await agent.press("Down", "Down", "Down");
    await agent.paste("Billing");
    await agent.shows("❯ 4. [✔] Billing");
    await agent.press("Tab");
    await agent.press("Enter");
    await agent.shows("Review your answers");
    await agent.press("Enter");
    const given = (await agent.recorded("answered")).answers;
    assert.deepEqual(given, { "Which database?": "DuckDB, in memory", "Which features?": "Search, Billing" });
  });

  it("are declined with Escape, which closes the connection, or through the chat, which does not", async () => {
    const agent = await startAgent({ turns: [[{ ask: [one] }], [{ ask: [one], declined: "Let us talk" }]] });
    const first = await agent.held();
    await agent.shows("Chat about this");
    await afterGrace();
    await agent.press("Escape");
    await until(() => first.closed);
    await agent.shows("User declined to answer questions");
    await agent.shows("? for shortcuts");
    assert.equal(agent.names().at(-1), "PermissionRequest");
    await agent.paste("again");
    await agent.press("Enter");
    const second = await agent.held();
    await agent.shows("Chat about this");
    await afterGrace();
    await agent.press("4");
    await agent.shows("Let us talk");
    await settled(agent);
    assert.equal(second.closed, false);
  });

  it("fit a small terminal however long they are, and are redrawn when its size changes", async () => {
    const long = {
      question:
        "A question that is rather long and will be wrapped when the terminal is only eighty columns wide, is it not?",
      header: "Long",
      options: [
        {
          label: "An option whose label is long enough to be wrapped at eighty columns of a terminal",
          description:
            "And so is its description, which takes two lines at least in a small terminal like this",
        },
        "B",
        "C",
        "D",
      ],
    };
    const agent = await startAgent(
      { turns: [[{ say: "first words" }, { ask: [one, long] }]] },
      { columns: 80, rows: 24 },
    );
    await agent.shows("Which database?");
    await afterGrace();
    await agent.press("1");
    const small = await agent.shows("is it not?");
    assert.match(small, /│ A question that is rather long[^\n]*\n│ [^\n]*is it not\?/);
    assert.match(small, /6\. Chat about this/);
    await agent.resize(120, 40);
    const large = await agent.shows(
      /❯ 1\. An option whose label is long enough to be wrapped at eighty columns of a terminal\n/,
    );
    assert.match(large, /first words/);
    assert.equal(large.match(/Chat about this/g)?.length, 1);
  });
});

describe("a plan", () => {
  const plan = { plan: "# Plan\n\n1. Make\n2. Test\n" };
  const eventsAfterPlan = (agent: Agent) =>
    agent.names().slice(agent.names().indexOf("PermissionRequest") + 1);

  it("is accepted by the hook, with a mode and with changes", async () => {
    const agent = await startAgent({ turns: [[plan, { say: "Building" }]] });
    const held = await agent.held();
    const input = fieldsOf(held.body.tool_input);
    assert.equal(input.plan, plan.plan);
    assert.equal(held.body.permission_mode, "plan");
    assert.match(
      await agent.shows("Would you like to proceed?"),
      /❯ 1\. Yes, clear context .* and use auto mode\n {5}2\. Yes, and use auto mode\n {5}3\. Yes, manually approve edits\n {5}4\. Tell Claude what to change\n/,
    );
    const setMode = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    held.answer({
      behavior: "allow",
      updatedInput: { ...input, plan: "# Better" },
      updatedPermissions: setMode,
    });
    await agent.shows("Building");
    await settled(agent);
    assert.deepEqual(eventsAfterPlan(agent), ["PostToolUse", "PostToolBatch", "Stop"]);
    assert.match(
      String(callsOf(agent.events.at(-2))[0]?.tool_response),
      /## Approved Plan \(edited by user\):\n# Better/,
    );
    assert.equal(agent.events.at(-1)?.permission_mode, "acceptEdits");
  });

  it("is sent back by the hook and comes again, revised", async () => {
    const agent = await startAgent({ turns: [[{ plan: ["First", "Second"] }, { say: "Building" }]] });
    const first = await agent.held();
    first.answer({ behavior: "deny", message: "Add tests" });
    const second = await agent.held();
    assert.equal(fieldsOf(second.body.tool_input).plan, "Second");
    second.answer({ behavior: "deny", message: "And docs" });
    const third = await agent.held();
    assert.equal(fieldsOf(third.body.tool_input).plan, "Second\n\nChanged: And docs\n");
    third.answer({ behavior: "allow" });
    await afterGrace();
    await agent.shows("Changed: And docs");
    assert.equal((await agent.recorded("denied")).message, "Add tests");
  });

  for (const [key, mode] of [
    ["2", "auto"],
    ["3", "default"],
  ] as const) {
    it(`is accepted with the key ${key}: ${mode}`, async () => {
      const agent = await startAgent({ turns: [[plan, { say: "Building" }]] });
      const held = await agent.held();
      await agent.shows("Would you like to proceed?");
      await afterGrace();
      await agent.press(key);
      await settled(agent);
      assert.equal(held.closed, false);
      assert.deepEqual(eventsAfterPlan(agent), ["PostToolUse", "PostToolBatch", "Stop"]);
      assert.equal((await agent.recorded("plan_accepted")).mode, mode);
    });
  }

  it("is accepted with a cleared context: the connection closes and another conversation continues", async () => {
    const agent = await startAgent({ turns: [[plan, { say: "Building" }]] });
    const held = await agent.held();
    await agent.shows("Would you like to proceed?");
    await afterGrace();
    await agent.press("1");
    await settled(agent);
    assert.equal(held.closed, true);
    assert.deepEqual(eventsAfterPlan(agent), ["SessionEnd", "SessionStart", "Stop"]);
    const [end, start, stop] = agent.events.slice(-3);
    assert.deepEqual([end?.reason, end?.session_id, start?.source], ["clear", agent.conversation, "clear"]);
    assert.notEqual(start?.session_id, agent.conversation);
    assert.equal(stop?.session_id, start?.session_id);
  });

  it("is sent back with keys", async () => {
    const agent = await startAgent({ turns: [[{ ...plan, revised: "I will: {{message}}" }]] });
    const held = await agent.held();
    await agent.shows("Would you like to proceed?");
    await afterGrace();
    await agent.press("4");
    await agent.shows("❯ 4. Tell Claude what to change");
    await agent.paste("Add tests");
    await agent.shows("❯ 4. Add tests");
    await agent.press("Enter");
    await agent.shows("I will: Add tests");
    await settled(agent);
    assert.equal(held.closed, false);
    assert.deepEqual(eventsAfterPlan(agent), ["PostToolBatch", "Stop"]);
  });

  it("shows its beginning in a small terminal if it is long", async () => {
    const long = Array.from({ length: 60 }, (_, n) => `${n + 1}. Step number ${n + 1}`).join("\n");
    const agent = await startAgent({ turns: [[{ plan: long }]] }, { columns: 80, rows: 24 });
    const screen = await agent.shows("Would you like to");
    assert.match(screen, /1\. Step number 1\n/);
    assert.match(screen, /↓/);
    assert.match(screen, /ctrl\+g to edit/);
  });
});
