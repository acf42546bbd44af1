/**
 * An agent's client as Claude Code behaves, by what was recorded of it: its hooks, its dialogs, its screen. It answers
 * to whoever is first, carries on when nobody listens, and at times misbehaves. It remembers what it really got.
 */
import { stripVTControlCharacters } from "node:util";
import { unguarded } from "../../src/agents/guarded-words.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import type { Conversation } from "../../src/scripted-agent/hooks/conversation.ts";
import type { CallResult, Common, Json, ToolCall } from "../../src/scripted-agent/hooks/json.ts";
import {
  contextOf,
  permissionOf,
  permissionRequest,
  postToolBatch,
  postToolUse,
  preToolUse,
  sessionEnd,
  sessionStart,
  stop,
  stopFailure,
  userPromptSubmit,
} from "../../src/scripted-agent/hooks/json.ts";
import { approvedText, rejectedWith } from "../../src/scripted-agent/hooks/result-text.ts";
import { keepCall, keepPrompt, keepResult, keepWords } from "../../src/scripted-agent/hooks/transcript.ts";
import { composerView } from "../../src/scripted-agent/screen/composer-view.ts";
import type { Dialog, Outcome } from "../../src/scripted-agent/screen/dialog.ts";
import { edited, press } from "../../src/scripted-agent/screen/dialog.ts";
import { viewDialog } from "../../src/scripted-agent/screen/dialog-view.ts";
import type { Key, NamedKey } from "../../src/scripted-agent/screen/keys.ts";
import { approvalDialog, planDialog, questionDialog } from "../../src/scripted-agent/screen/make-dialog.ts";
import { wrap } from "../../src/scripted-agent/screen/text.ts";
import type { FakeProgram } from "../fakes/fake-terminals.ts";
import { FOLDER } from "./memory-files.ts";
import type { Time } from "./time.ts";

/** What became of a call, and who decided that: oj by a hook, or somebody at the keyboard (who may be oj). */
export interface Verdict {
  by: "hook" | "keys" | "person";
  allow: boolean;
  /** The answers that a question got. */
  answers: string[];
  /** Refused without a word: that leaves the same trace as Esc while the call runs. */
  isInterruption?: boolean;
}

/** What an agent got over all its starts. */
export interface Memory {
  id: AgentId;
  verdicts: Map<string, Verdict[]>;
  /** Everything that it was told, oldest first. */
  heard: string[];
  /** Calls whose end it reported, and a daemon took that in. */
  over: Set<string>;
  calls: number;
  /** How often its client was started. */
  starts: number;
}

export interface Wild {
  time: Time;
  /** Sends a hook to whichever daemon is there; null if none is, or the connection broke. */
  hook(agent_id: AgentId, body: Json, abort: AbortSignal): Promise<Json | null>;
  /** In percent: it crashes, a person at the terminal is faster, keys get lost. */
  crashes: number;
  people: number;
  /** A dialog of it was settled. */
  decided(agent_id: AgentId, call: ToolCall, verdict: Verdict): void;
  /** It was told something, in whatever way. */
  heard(agent_id: AgentId, text: string): void;
  /** Somebody typed words and submitted them. */
  said(agent_id: AgentId, text: string): void;
  /** Adds a line to the conversation's file. */
  keep(file: string, line: object): void;
  failed(error: unknown): void;
  /** Once all is over, agents do nothing more than end their turn. */
  isOver(): boolean;
}

class Gone extends Error {}

const fileOf = (session_id: string) => `${FOLDER}/conversations/${session_id}.jsonl`;

const NAMES: Record<string, NamedKey> = {
  Up: "up",
  Down: "down",
  Left: "left",
  Right: "right",
  Enter: "enter",
  Tab: "tab",
  Escape: "escape",
  BSpace: "backspace",
  "C-u": "ctrl-u",
  "C-c": "ctrl-c",
};
const INTERRUPTED = "[Request interrupted by user for tool use]";
const SIZE = { columns: 120, rows: 40 };
const KEPT_LINES = 400;

export function startClient(program: FakeProgram, memory: Memory, wild: Wild): void {
  const { time } = wild;
  const { agent_id, argv } = program.started;
  const words = argv.slice(argv.indexOf("oj") + 1);
  const resumed = words.indexOf("--resume");
  const message = words.length % 2 === 1 ? (words.at(-1) ?? null) : null;
  const incarnation = ++memory.starts;
  const session_id = resumed >= 0 ? (words[resumed + 1] ?? "") : `s-${agent_id}-${incarnation}`;
  const common: Common = {
    session_id,
    transcript_path: fileOf(session_id),
    cwd: program.started.cwd,
    prompt_id: null,
    permission_mode: "default",
  };
  const kept = {
    conversation: { note: (line: object) => wild.keep(common.transcript_path, line) } as Conversation,
  };
  const lines: string[] = [];
  const queue: string[] = [];
  let composer = "";
  let busy: string | null = "Starting";
  let open: {
    dialog: Dialog;
    deafUntil: number;
    settle(outcome: Outcome, by: "keys" | "person"): void;
  } | null = null;
  let wake = () => {};

  function draw(): void {
    if (program.exit) return;
    const bottom = open
      ? ["", ...viewDialog(open.dialog, { ...SIZE, rows: SIZE.rows - 2 })]
      : composerView(
          {
            text: composer,
            mode: "default",
            busy: busy === null ? null : { what: busy, seconds: 1, canInterrupt: busy !== "Starting" },
            held: false,
            leaving: false,
            queued: queue.length,
          },
          SIZE.columns,
        ).lines;
    program.setScreen(stripVTControlCharacters([...lines, ...bottom].join("\n")));
  }

  function show(text: string, mark: string): void {
    lines.push("", ...wrap(text, SIZE.columns, mark));
    lines.splice(0, lines.length - KEPT_LINES);
    draw();
  }

  function hear(text: string | null): void {
    if (text === null || text === "") return;
    memory.heard.push(text);
    wild.heard(agent_id, text);
  }

  async function pause(least: number, most: number, what: string): Promise<void> {
    await time.sleep(time.span(least, most), `${agent_id} ${what}`);
    if (program.exit) throw new Gone();
  }

  async function send(body: Json): Promise<Json> {
    return (await sent(body)) ?? {};
  }

  /** Null if no daemon took it. */
  async function sent(body: Json): Promise<Json | null> {
    const reply = await wild.hook(agent_id, body, new AbortController().signal);
    if (program.exit) throw new Gone();
    return reply;
  }

  function onKey(key: Key): void {
    if (open) {
      if (time.now() < open.deafUntil) return;
      const pressed = press(open.dialog, key);
      if ("outcome" in pressed) open.settle(pressed.outcome, "keys");
      else open.dialog = pressed.dialog;
    } else if (key.type === "enter") {
      if (composer.trim() === "") return;
      wild.said(agent_id, unguarded(composer));
      queue.push(composer);
      composer = "";
      wake();
    } else composer = edited(composer, key);
    draw();
  }

  program.bracketed = true;
  program.onText = (text) => onKey({ type: "paste", text });
  program.onKeys = (keys) => {
    for (const key of keys)
      onKey(key.length === 1 ? { type: "char", char: key } : { type: NAMES[key] ?? "other" });
  };

  /** A dialog on the screen and an open hook at once: the first answer wins. */
  async function decide(
    call: ToolCall,
    dialog: Dialog,
  ): Promise<{ verdict: Verdict; outcome: Outcome | Json }> {
    const abort = new AbortController();
    const needsInput = dialog.type !== "approval";
    const held = wild.hook(agent_id, permissionRequest(common, call), abort.signal);
    const settled = new Promise<{ verdict: Verdict; outcome: Outcome | Json }>((resolve) => {
      const appear = () => {
        open = {
          dialog,
          deafUntil: time.now() + time.span(0, 1200),
          settle: (outcome, by) => resolve({ verdict: seenOf(outcome, by), outcome }),
        };
        draw();
      };
      time.after(time.span(0, 400), `${agent_id} draws a dialog`, appear);
      void held.then((output) => {
        const permission = output && permissionOf(output);
        if (!permission || (needsInput && permission.allow && !permission.input)) return;
        const answers = permission.input?.answers;
        resolve({
          verdict: {
            by: "hook",
            allow: permission.allow,
            answers: answers && typeof answers === "object" ? Object.values(answers).map(String) : [],
          },
          outcome: { message: permission.message, input: permission.input, interrupt: permission.interrupt },
        });
      });
      if (time.odds(wild.people))
        time.after(time.span(100, 20_000), `${agent_id} a person answers in the terminal`, () => {
          if (open?.dialog.type !== dialog.type || program.exit) return;
          open.settle(drawnOutcome(dialog), "person");
          draw();
        });
    });
    const ended = new Promise<never>((_, reject) => {
      const look = () =>
        program.exit ? reject(new Gone()) : void time.after(5000, `${agent_id} waits`, look);
      look();
    });
    try {
      const { verdict, outcome } = await Promise.race([settled, ended]);
      if (program.exit) throw new Gone();
      if (verdict.by !== "hook" && !verdict.allow) abort.abort(); // a refusal at the keyboard closes the connection
      return { verdict, outcome };
    } finally {
      open = null;
      draw();
    }
  }

  function seenOf(outcome: Outcome, by: "keys" | "person"): Verdict {
    const answers = outcome.type === "answers" ? Object.values(outcome.answers) : [];
    const isInterruption = outcome.type === "escape" || (outcome.type === "no" && outcome.message === null);
    return { by, allow: ["yes", "answers", "accept"].includes(outcome.type), answers, isInterruption };
  }

  function drawnOutcome(dialog: Dialog): Outcome {
    if (dialog.type === "question") {
      const answers = dialog.questions.map((it) => [it.question, time.one(it.options).label]);
      return time.odds(70)
        ? { type: "answers", answers: Object.fromEntries(answers), free: false }
        : { type: "escape" };
    }
    if (dialog.type === "plan") {
      if (time.odds(30)) return { type: "revise", message: "Do it otherwise." };
      const mode = time.one(["clear", "auto", "manual"] as const);
      return time.odds(70) ? { type: "accept", mode, remark: null } : { type: "escape" };
    }
    if (time.odds(50)) return { type: "yes", grant: "once", remark: null };
    return { type: "no", message: time.odds(40) ? "Not that one." : null };
  }

  /** Accepted or sent back, by a hook or by keys; a person may have its context cleared with that. */
  async function presentPlan(): Promise<boolean> {
    const plan = `# Plan ${++memory.calls}\n\nDo it.`;
    const file = `${FOLDER}/plans/${agent_id}.md`;
    const input: Json = { plan, planFilePath: file };
    const call: ToolCall = { name: "ExitPlanMode", input, id: `t-${agent_id}-${memory.calls}` };
    keepCall(kept, call);
    if (permissionDenied(await send(preToolUse(common, call))))
      return done({ call, response: "denied", text: "denied" }, true);
    const { verdict, outcome } = await decide(call, planDialog(plan, file, true));
    wild.decided(agent_id, call, verdict);
    const given = outcome as {
      type?: string;
      mode?: string | null;
      message?: string | null;
      remark?: string | null;
      input?: Json | null;
      interrupt?: boolean;
    };
    hear(given.message ?? given.remark ?? null);
    if (!verdict.allow && (given.type === "escape" || given.interrupt)) return interrupted(call);
    const why = given.message ?? "Permission denied";
    if (!verdict.allow)
      return done({ call, response: "no", text: verdict.by === "hook" ? why : rejectedWith(why) }, true);
    if (verdict.by !== "hook" && given.mode === "clear") {
      await send(sessionEnd(common, "clear"));
      common.session_id = `s-${agent_id}-${incarnation}-${memory.calls}`;
      common.transcript_path = fileOf(common.session_id);
      hear(contextOf(await send(sessionStart(common, "clear")), "SessionStart"));
      return true;
    }
    const response = { plan, isAgent: false, filePath: file };
    const text = approvedText(plan, file, false);
    return done({ call, input: verdict.by === "hook" ? (given.input ?? input) : {}, response, text }, false);
  }

  /** False: the turn was interrupted, and no hook says so. */
  async function useTool(): Promise<boolean> {
    if (time.odds(15)) return presentPlan();
    const number = ++memory.calls;
    const isQuestion = time.odds(25);
    const options = ["Postgres", "SQLite"].map((label) => ({ label, description: "" }));
    const questions = [
      { question: `Which store for ${number}?`, header: "Store", multiSelect: false, options },
    ];
    const input: Json = isQuestion
      ? { questions }
      : { command: `npm run part-${number % 3}`, description: "Part" };
    const call: ToolCall = {
      name: isQuestion ? "AskUserQuestion" : "Bash",
      input,
      id: `t-${agent_id}-${number}`,
    };
    keepCall(kept, call);
    const before = await send(preToolUse(common, call));
    if (permissionDenied(before)) {
      return done({ call, response: "denied", text: "denied" }, true);
    }
    if (!isQuestion && time.odds(30)) return done({ call, response: { stdout: "" }, text: "" }, false); // allowed
    const dialog = isQuestion
      ? questionDialog(questions)
      : approvalDialog("Bash", input, { cwd: common.cwd, forced: false });
    const { verdict, outcome } = await decide(call, dialog);
    wild.decided(agent_id, call, verdict);
    const given = outcome as {
      message?: string | null;
      input?: Json | null;
      interrupt?: boolean;
      remark?: string | null;
    };
    hear(given.message ?? given.remark ?? null);
    if (!verdict.allow && verdict.by !== "hook" && (given.message ?? null) === null) return interrupted(call);
    if (!verdict.allow && given.interrupt) return interrupted(call);
    const why = given.message ?? "Permission denied";
    if (!verdict.allow)
      return done({ call, response: "no", text: verdict.by === "hook" ? why : rejectedWith(why) }, true);
    await pause(0, 3000, "runs a tool");
    const texts = Object.fromEntries(questions.map((it, n) => [it.question, verdict.answers[n] ?? ""]));
    const response = isQuestion ? { questions, answers: texts } : { stdout: "" };
    return done({ call, input: given.input ?? input, response, text: "ok" }, false);
  }

  async function done(result: CallResult, isDenied: boolean): Promise<boolean> {
    keepResult(kept, result, isDenied);
    if (!isDenied) hear(contextOf(await send(postToolUse(common, result, 1)), "PostToolUse"));
    const reply = await sent(postToolBatch(common, [result]));
    if (reply) memory.over.add(result.call.id);
    hear(contextOf(reply ?? {}, "PostToolBatch"));
    return true;
  }

  function interrupted(call: ToolCall): boolean {
    keepResult(kept, { call, response: INTERRUPTED, text: INTERRUPTED }, true);
    show("Interrupted · What should Claude do instead?", "  ⎿  ");
    return false;
  }

  async function takeTurn(prompt: string): Promise<void> {
    hear(unguarded(prompt));
    keepPrompt(kept, prompt);
    show(prompt, "❯ ");
    busy = "Working";
    draw();
    hear(contextOf(await send(userPromptSubmit(common, prompt)), "UserPromptSubmit"));
    for (let left = wild.isOver() ? 0 : time.chance.pick(7); left > 0; left--) {
      await pause(100, 2000, "works");
      if (time.odds(wild.crashes)) return program.end(time.one([0, 1, "SIGKILL"] as const));
      if (!(await useTool())) {
        busy = null;
        return draw();
      }
    }
    await pause(200, 3000, "works");
    if (!wild.isOver() && time.odds(4)) await send(stopFailure(common, "rate_limit", "429"));
    else {
      keepWords(kept, "I have done that.");
      show("I have done that.", "● ");
      await send(stop(common, { active: false, last: "I have done that.", tasks: [] }));
    }
    busy = null;
    draw();
  }

  async function live(): Promise<void> {
    draw();
    await pause(100, 2500, "starts");
    hear(contextOf(await send(sessionStart(common, resumed >= 0 ? "resume" : "startup")), "SessionStart"));
    if (message !== null) await takeTurn(message);
    for (;;) {
      busy = null;
      draw();
      const next = queue.shift();
      if (next !== undefined) {
        busy = "Working";
        draw();
        await pause(0, 200, "reads");
        await takeTurn(next);
      } else await new Promise<void>((resolve) => (wake = resolve));
      if (program.exit) throw new Gone();
    }
  }

  live().catch((error) => {
    if (!(error instanceof Gone)) wild.failed(error);
  });
}

function permissionDenied(output: Json): boolean {
  const given = output.hookSpecificOutput as Json | undefined;
  return given?.permissionDecision === "deny";
}
