/**
 * `oj-acp`: runs a program that speaks the Agent Client Protocol. It lives in the agent's terminal, shows the
 * conversation, takes words and answers there, and reports to the daemon as the scripted agent does. It needs no daemon
 * to go on.
 */

import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Args } from "../scripted-agent/args.ts";
import { UsageError } from "../scripted-agent/args.ts";
import { beginConversation, unregister } from "../scripted-agent/conversation-life.ts";
import { endProcess, SIGNALS } from "../scripted-agent/end.ts";
import { newConversation, resumedConversation } from "../scripted-agent/hooks/conversation.ts";
import { startHooks } from "../scripted-agent/hooks/hooks.ts";
import { sessionEnd } from "../scripted-agent/hooks/json.ts";
import { recorder } from "../scripted-agent/hooks/record.ts";
import { readSettings } from "../scripted-agent/hooks/settings.ts";
import { readScenario } from "../scripted-agent/scenario/read.ts";
import type { Question } from "../scripted-agent/scenario/scenario.ts";
import { startScreen } from "../scripted-agent/screen/screen.ts";
import { startUi } from "../scripted-agent/screen/ui.ts";
import type { Stage } from "../scripted-agent/stage.ts";
import { commonOf, show, showBelow } from "../scripted-agent/stage.ts";
import { version } from "../version.ts";
import type { Line } from "./args.ts";
import { readLine } from "./args.ts";
import { acpStart, opencodeStart } from "./connect.ts";
import { earlierWords } from "./earlier.ts";
import { elicit } from "./elicitation.ts";
import { readTextFile, writeTextFile } from "./files.ts";
import { CANCELLED } from "./options.ts";
import { owedWords } from "./owed.ts";
import { requestPermission } from "./permission.ts";
import { knownAs, open, rememberAs, startProgram } from "./program.ts";
import { waysOf } from "./programs.ts";
import { askAll } from "./questions.ts";
import type { Session } from "./session.ts";
import type { Terminals } from "./terminals.ts";
import { startTerminals } from "./terminals.ts";
import { playTurn } from "./turn.ts";
import { flush, onUpdate } from "./updates.ts";
import type { Params, Peer } from "./wire/rpc.ts";
import { isObject, unknownMethod } from "./wire/rpc.ts";

const USAGE_CODE = 2;
const LAST_WORDS_MS = 3000;
const LOG_LINES = 10;

void main(process.argv.slice(2));

async function main(argv: string[]): Promise<void> {
  if (argv[0] === "--version") return void process.stdout.write(`${version} (oj-acp)\n`);
  try {
    const line = readLine(argv);
    if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError("oj-acp needs a terminal");
    await run(line);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`✗ ${error.message}\n`);
    process.exitCode = USAGE_CODE;
  }
}

async function run({ server, program, args }: Line): Promise<void> {
  const start = server ? opencodeStart(program, process.env) : acpStart(program, process.env);
  process.stdout.on("error", () => {}); // the terminal may be gone before we are
  const stage = startStage(args);
  const terminals = startTerminals(stage.cwd, process.env);
  let peer: Peer | null = null;
  const child = startProgram(start.words, stage.home, start.env, {
    failed: (error) => ended(`can't be started: ${error.message}`, 127),
    ended: (code, signal) => ended(`ended (${signal ?? `exit code ${code}`})`, code || 1),
    isWorthAnother: (code) => code === 1 && peer?.isUp?.() === false,
  });
  process.on("exit", () => {
    terminals.close();
    child.kill();
  });
  for (const [name, code] of Object.entries(SIGNALS)) process.on(name, () => void stage.leave(code, "other"));
  for (const name of ["end", "error"])
    process.stdin.on(name, () => void stage.leave(SIGNALS.SIGHUP, "other"));
  function ended(what: string, code: number): void {
    show(stage, `${program[0]} ${what}`, "✗ ");
    for (const line of lastLines(stage.home)) showBelow(stage, line);
    void stage.leave(code, "other");
  }

  let session: Session | null = null;
  const now = () => session ?? starting();
  peer = start.connect(child, {
    request: (method, params) => answer(now(), terminals, method, params),
    notice: (method, params) => method === "session/update" && session && onUpdate(session, params),
  });
  session = {
    stage,
    peer,
    takesReasons: server !== null,
    ways: waysOf(""),
    id: "",
    saying: "",
    running: new Map(),
    owed: owedWords(stage.conversation.file),
    stirred: false,
    hasFailed: false,
    forgotten: [],
    replays: false,
  };
  stage.ui.print(() => ["", ` ${program.join(" ")}`, ` ${stage.cwd}`]);
  try {
    await live(session, args);
  } catch (error) {
    ended(`can't go on: ${(error as Error).message}`, 1);
  }
}

function starting(): never {
  throw new Error("there is no conversation yet");
}

async function live(session: Session, args: Args): Promise<void> {
  const { stage, peer } = session;
  const { file } = stage.conversation;
  await beginConversation(stage, args.resume === null ? "startup" : "resume"); // a program may take long to start
  const opened = await open(peer, stage.cwd, args.resume === null ? null : knownAs(file), (on) => {
    session.replays = on;
  });
  session.id = opened.id;
  session.ways = waysOf(opened.program);
  rememberAs(file, opened.id);
  let before = stage.conversation.state.told.context;
  if (args.resume !== null && !opened.remembers) {
    showBelow(stage, "The program can't go on with the old conversation: this is a new one");
    before = [earlierWords(keptIn(file)), before].filter((it) => it !== "").join("\n\n");
  }
  if (args.prompt === null) stage.ui.works(null);
  for (let words = args.prompt; ; words = await stage.ui.nextPrompt()) {
    if (words === null) continue;
    await playTurn(session, words, before);
    before = "";
  }
}

function keptIn(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return ""; // nothing was said in it
  }
}

/** One dialog at a time: whatever else is asked meanwhile waits for its turn. */
let dialogs: Promise<unknown> = Promise.resolve();
function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  const next = dialogs.then(ask, ask);
  dialogs = next.catch(() => {});
  return next;
}

async function answer(
  session: Session,
  terminals: Terminals,
  method: string,
  params: Params,
): Promise<unknown> {
  const { stage } = session;
  switch (method) {
    case "session/request_permission":
      return inTurn(async () => (isOver(session, params) ? CANCELLED : requestPermission(session, params)));
    case "oj/ask":
      return inTurn(async () => ({
        answers: isOver(session, params) ? null : await ask(session, params),
      }));
    case "elicitation/create":
      return inTurn(async () => (isOver(session, params) ? { action: "cancel" } : elicit(session, params)));
    case "fs/read_text_file":
      return readTextFile(stage.cwd, params, session.ways.readsBeforeCreating ? "" : null);
    case "fs/write_text_file":
      return writeTextFile(stage.cwd, params);
    default:
      if (method.startsWith("terminal/")) return terminals.handle(method, params);
      throw unknownMethod(method);
  }
}

/** While a request waited for its turn, it was settled together with another, or the program's turn was interrupted. */
function isOver({ peer, stage }: Session, { _meta }: Params): boolean {
  if (stage.abort.signal.aborted) return true;
  return isObject(_meta) && typeof _meta.request === "string" && peer.isOpen?.(_meta.request) === false;
}

async function ask(session: Session, { questions }: Params): Promise<Record<string, string> | null> {
  flush(session);
  return askAll(session, questions as Question[]);
}

function startStage(args: Args): Stage {
  const { env } = process;
  const cwd = process.cwd();
  const settings = args.settings ?? "{}";
  const isText = settings.trimStart().startsWith("{");
  const home =
    env.OJ_AGENT_HOME || (isText ? path.join(cwd, ".oj-acp") : path.dirname(path.resolve(settings)));
  const conversation =
    (args.resume === null ? null : resumedConversation(home, args.resume)) ??
    newConversation(home, args.resume ?? args.sessionId ?? randomUUID());
  const record = recorder(args.record);
  let leaving: Promise<never> | null = null;
  const hooks = readSettings(JSON.parse(isText ? settings : fs.readFileSync(settings, "utf8")));
  const stage: Stage = {
    scenario: readScenario('{"turns": []}').scenario,
    record,
    env,
    cwd,
    home,
    offersClear: false,
    printing: false,
    hooks: startHooks(hooks, env, cwd, record),
    ui: startUi(startScreen(process.stdout), process.stdin, record, {
      interrupt: () => stage.abort.abort(),
      leave: () => void stage.leave(0, "prompt_input_exit"),
    }),
    conversation,
    promptId: null,
    mode: "default",
    last: "",
    always: new Set(),
    abort: new AbortController(),
    leave: (code, reason) => (leaving ??= leave(stage, code, reason)),
  };
  return stage;
}

async function leave(stage: Stage, code: number, reason: string): Promise<never> {
  const last = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS));
  await Promise.race([stage.hooks.send(sessionEnd(commonOf(stage), reason)), last]);
  stage.ui.close();
  unregister(stage.home);
  return endProcess(code);
}

function lastLines(home: string): string[] {
  try {
    const text = fs.readFileSync(path.join(home, "acp-stderr.log"), "utf8");
    return text.trimEnd().split("\n").slice(-LOG_LINES);
  } catch {
    return [];
  }
}
