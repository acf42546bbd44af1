#!/usr/bin/env node
/**
 * A double of Codex that plays a script: it runs the hooks that it is given on its command line, draws its dialogs only
 * where no hook answered, asks its questions on its screen alone, and keeps a conversation's file. Whatever it is told
 * is a line in its record. The script is `$HOME/plays/codex.json`, the record `$HOME/records/$OJ_AGENT.jsonl`.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { startScreen } from "./codex-screen.mjs";

const { HOME = "", OJ_AGENT = "" } = process.env;
/** @type {any[]} Steps of all turns; a turn ends with words. */
const steps = JSON.parse(fs.readFileSync(path.join(HOME, "plays/codex.json"), "utf8")).flat();
const record = path.join(HOME, `records/${OJ_AGENT}.jsonl`);
const id = randomUUID();
const file = path.join(HOME, `rollout-${id}.jsonl`);
const command = /^hooks\.(\w+)=\[\{hooks=\[\{type="command",command=("(?:[^"\\]|\\.)*")/;
const hooks = new Map(
  process.argv.flatMap((it) => {
    const [, name, line] = command.exec(it) ?? [];
    return name && line ? [[name, String(JSON.parse(line))]] : [];
  }),
);
let at = 0;
let turn = 0;
let calls = 0;

/** @param {string} kind  @param {object} fields */
const note = (kind, fields) => fs.appendFileSync(record, `${JSON.stringify({ kind, ...fields })}\n`);
/** @param {string} type  @param {object} payload */
const keep = (type, payload) =>
  fs.appendFileSync(file, `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`);
/** @param {object} payload */
const item = (payload) => keep("response_item", payload);

/** Runs a hook as the real one does: its output is an answer only if it is JSON. @returns {Promise<any>} */
function hook(/** @type {string} */ name, /** @type {object} */ fields) {
  const line = hooks.get(name);
  const given = { session_id: id, transcript_path: file, cwd: process.cwd(), model: "gpt-5.1-codex" };
  const whole = {
    ...given,
    permission_mode: "default",
    turn_id: `turn-${turn}`,
    hook_event_name: name,
    ...fields,
  };
  if (line === undefined) return Promise.resolve({});
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", line], { stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (part) => (output += part));
    child.stdin.on("error", () => {}).end(JSON.stringify(whole));
    child.once("close", () => {
      try {
        resolve(JSON.parse(output));
      } catch {
        resolve({});
      }
    });
  });
}

const screen = startScreen((words) => void prompted(words));

/** @param {string} words */
async function prompted(words) {
  screen.works(true);
  screen.print("› ", words);
  if (turn++ === 0) await hook("SessionStart", { source: "startup" });
  note("prompt", { text: words });
  await hook("UserPromptSubmit", { prompt: words });
  const content = [{ type: "text", text: words, text_elements: [] }];
  keep("event_msg", { type: "item_completed", item: { type: "UserMessage", content } });
  while (at < steps.length && (await play(steps[at++])));
  screen.works(false);
}

/** Whether the turn goes on. @param {any} step */
async function play(step) {
  await hook("PreModelRequest", {});
  if (step.ask) return asked(step.ask);
  if (step.tool) return permitted(step.input);
  screen.print("• ", step.say);
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text: step.say }] });
  await hook("Stop", { stop_hook_active: false, last_assistant_message: step.say });
  return false;
}

/** No hook asks the question: it is on the screen alone. */
async function asked(/** @type {{ question: string, options: string[] }} */ { question, options }) {
  const call_id = `call_${++calls}`;
  const given = options.map((label) => ({ label, description: "as it says" }));
  const input = { questions: [{ id: "q", header: "Q", question, options: given }] };
  item({ type: "function_call", name: "request_user_input", arguments: JSON.stringify(input), call_id });
  const about = { tool_name: "request_user_input", tool_input: input, tool_use_id: call_id };
  await hook("PreToolUse", about);
  const none = { label: "None of the above", description: "Optionally, add details in notes (tab)" };
  const lines = ["  Question 1/1 (1 unanswered)", `  ${question}`];
  const chosen = await screen.ask({ lines, options: [...given, none], isQuestion: true });
  const label = [...given, none][chosen.at]?.label;
  const answers = [label, ...(chosen.note === null ? [] : [`user_note: ${chosen.note}`])];
  const output = JSON.stringify({ answers: { q: { answers } } });
  note("answered", { answers });
  item({ type: "function_call_output", call_id, output });
  await hook("PostToolUse", { ...about, tool_response: output });
  return true;
}

async function permitted(/** @type {string} */ cmd) {
  const call_id = `call_${++calls}`;
  const reason = { justification: "May I?" };
  item({
    type: "function_call",
    name: "exec_command",
    arguments: JSON.stringify({ cmd, ...reason }),
    call_id,
  });
  const about = { tool_name: "Bash", tool_input: { command: cmd } };
  await hook("PreToolUse", { ...about, tool_use_id: call_id });
  const asking = { ...about, tool_input: { command: cmd, description: "May I?" } };
  const decision = (await hook("PermissionRequest", asking)).hookSpecificOutput?.decision;
  const output = (/** @type {string} */ text) =>
    item({ type: "function_call_output", call_id, output: text });
  if (decision?.behavior === "deny") {
    note("denied", { message: decision.message });
    output(`exec_command failed: CreateProcess { message: "Rejected(\\"${decision.message}\\")" }`);
    return true;
  }
  if (decision?.behavior !== "allow" && !(await allowedHere(cmd))) {
    note("interrupted", {});
    output("aborted by user after 3.3s");
    screen.print("✗ ", `You canceled the request to run ${cmd}`);
    screen.print("■ ", "Conversation interrupted - use /feedback if something went wrong");
    return false;
  }
  note("allowed", {});
  output("Chunk ID: b12ab1\nWall time: 0.4320 seconds\nProcess exited with code 0\nOutput:\n");
  await hook("PostToolUse", { ...about, tool_response: "", tool_use_id: call_id });
  return true;
}

async function allowedHere(/** @type {string} */ cmd) {
  const lines = ["  Would you like to run the following command?", "", "  Reason: May I?", "", `  $ ${cmd}`];
  const options = ["Yes, proceed (y)", "No, and tell Codex what to do differently (esc)"];
  const given = options.map((label) => ({ label, description: "" }));
  return (await screen.ask({ lines, options: given, isQuestion: false })).at === 0;
}

const first = process.argv.indexOf("--");
if (first > 0) void prompted(process.argv.slice(first + 1).join(" "));
