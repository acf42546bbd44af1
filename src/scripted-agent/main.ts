/** The scripted agent: reads its scenario, meets the person, plays turn after turn. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { version } from "../version.ts";
import type { Args } from "./args.ts";
import { readArgs, USAGE, UsageError } from "./args.ts";
import { beginConversation, clearContext, unregister } from "./conversation-life.ts";
import { endProcess, SIGNALS } from "./end.ts";
import type { Conversation } from "./hooks/conversation.ts";
import { newConversation, resumedConversation } from "./hooks/conversation.ts";
import { startHooks } from "./hooks/hooks.ts";
import { sessionEnd } from "./hooks/json.ts";
import { kindsOf, limited } from "./hooks/kinds.ts";
import type { Recorder } from "./hooks/record.ts";
import { recorder } from "./hooks/record.ts";
import type { Settings } from "./hooks/settings.ts";
import { readSettings } from "./hooks/settings.ts";
import { idleNotice, playPrompt } from "./play.ts";
import { readScenario } from "./scenario/read.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { trustDialog } from "./screen/make-dialog.ts";
import { startScreen } from "./screen/screen.ts";
import type { Ui } from "./screen/ui.ts";
import { startPrintUi, startUi } from "./screen/ui.ts";
import { runShell } from "./shell.ts";
import type { Stage } from "./stage.ts";
import { commonOf, show, showBelow } from "./stage.ts";

const USAGE_CODE = 2;
const BUG_CODE = 70;
/** The exit code that a shell gives for this signal; INT ends the client in good order. */
const LAST_WORDS_MS = 3000;

class Refused extends Error {}

void main(process.argv.slice(2), process.env);

async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const args = readArgs(argv, env);
    if (args.asks === "help") return void process.stdout.write(USAGE);
    if (args.asks === "version") return void process.stdout.write(`${version} (oj-agent)\n`);
    const scenario = loadScenario(args.scenario);
    if (args.asks === "check") return void process.stdout.write(`${args.scenario} is a valid scenario\n`);
    await run(args, env, scenario);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Refused)) throw error;
    process.stderr.write(`✗ ${error.message}\n${error instanceof UsageError ? "  → oj-agent --help\n" : ""}`);
    process.exitCode = error instanceof UsageError ? USAGE_CODE : 1;
  }
}

async function run(args: Args, env: NodeJS.ProcessEnv, scenario: Scenario): Promise<void> {
  if (!args.print && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new Refused("oj-agent needs a terminal; without one use -p");
  const record = recorder(args.record);
  const settings = loadSettings(args.settings);
  const home =
    env.OJ_AGENT_HOME ||
    (args.settings === null || isText(args.settings)
      ? path.join(os.tmpdir(), "oj-agent")
      : path.dirname(path.resolve(args.settings)));
  const conversation =
    args.resume === null ? newConversation(home, args.sessionId ?? randomUUID()) : resumed(home, args.resume);
  process.stdout.on("error", () => {}); // the terminal may be gone before the agent is
  const stage = startStage({ args, env, scenario, record, settings, home, conversation });
  record("start", { argv: process.argv.slice(2), pid: process.pid, cwd: stage.cwd });
  for (const [name, code] of Object.entries(SIGNALS)) process.on(name, () => void stage.leave(code, "other"));
  if (!args.print)
    for (const name of ["end", "error"])
      process.stdin.on(name, () => void stage.leave(SIGNALS.SIGHUP, "other"));
  try {
    await live(stage, args);
  } catch (error) {
    record("bug", { error: String((error as Error).stack) });
    showBelow(stage, String((error as Error).stack));
    await stage.leave(BUG_CODE, "other");
  }
}

async function live(stage: Stage, args: Args): Promise<void> {
  if (stage.scenario.trust && args.resume === null) await askTrust(stage);
  if (!stage.printing) stage.ui.print(() => ["", ` oj-agent v${version}`, ` ${stage.cwd}`]);
  await beginConversation(stage, args.resume === null ? "startup" : "resume");
  if (args.prompt === null) stage.ui.works(null);
  if (stage.printing) {
    const flow = await playPrompt(stage, args.prompt ?? "");
    return void (await stage.leave(flow === "stop" ? 0 : 1, "other"));
  }
  for (let prompt = args.prompt; ; ) {
    if (prompt !== null) await submit(stage, prompt);
    const quiet = idleNotice(stage);
    prompt = await stage.ui.nextPrompt();
    quiet();
  }
}

/** A leading `!` is a command for the shell and a leading `/word` one for the client: neither is asked about, neither is a prompt. */
async function submit(stage: Stage, text: string): Promise<void> {
  if (text.startsWith("!")) {
    stage.ui.works(null);
    const command = text.slice(1).trim();
    const { code, output } = await runShell(command, stage);
    stage.record("shell", { command, code });
    show(stage, command, "! ");
    return showBelow(stage, output.trimEnd() === "" ? "(No output)" : output.trimEnd());
  }
  const [, word] = /^\/([a-z-]+)(?:\s|$)/i.exec(text) ?? [];
  if (word === undefined) return void (await playPrompt(stage, text));
  stage.ui.works(null);
  stage.record("command", { command: text });
  show(stage, text, "❯ ");
  if (word === "clear") return clearContext(stage);
  if (word === "exit" || word === "quit") return stage.leave(0, "prompt_input_exit");
  showBelow(stage, `Unknown command: /${word}`);
}

async function askTrust(stage: Stage): Promise<void> {
  const outcome = await stage.ui.ask(trustDialog(stage.cwd))?.outcome;
  stage.record("trust", { trusted: outcome?.type !== "escape" });
  if (outcome?.type === "escape") {
    stage.ui.close();
    process.exit(1);
  }
}

interface Given {
  args: Args;
  env: NodeJS.ProcessEnv;
  scenario: Scenario;
  record: Recorder;
  settings: Settings;
  home: string;
  conversation: Conversation;
}

function startStage({ args, env, scenario, record, settings, home, conversation }: Given): Stage {
  const cwd = process.cwd();
  const mode = conversation.state.mode ?? args.permissionMode;
  let leaving: Promise<never> | null = null;
  const stage: Stage = {
    scenario,
    record,
    env,
    cwd,
    home,
    offersClear: settings.offersClear,
    printing: args.print,
    hooks: startHooks(
      limited(settings, kindsOf(scenario.hooks, { env, home: os.homedir(), cwd })),
      env,
      cwd,
      record,
    ),
    ui: meet(() => stage, args.print, record),
    conversation,
    promptId: null,
    mode,
    last: "",
    always: new Set(),
    abort: new AbortController(),
    leave: (code, reason) => (leaving ??= leave(stage, code, reason)),
  };
  stage.ui.ignoreKeys(scenario.ignore_keys_ms);
  stage.ui.setMode(mode);
  return stage;
}

function meet(stage: () => Stage, print: boolean, record: Recorder): Ui {
  if (print) return startPrintUi(process.stdout);
  return startUi(startScreen(process.stdout), process.stdin, record, {
    interrupt: () => stage().abort.abort(),
    leave: () => void stage().leave(0, "prompt_input_exit"),
  });
}

async function leave(stage: Stage, code: number, reason: string): Promise<never> {
  stage.record("end", { code, reason });
  const last = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS));
  await Promise.race([stage.hooks.send(sessionEnd(commonOf(stage), reason)), last]);
  stage.ui.close();
  unregister(stage.home);
  return endProcess(code);
}

function loadScenario(file: string | null): Scenario {
  if (file === null) throw new UsageError("which scenario? give --scenario FILE or OJ_AGENT_SCENARIO");
  const { scenario, problems } = readScenario(read(file));
  if (problems.length > 0)
    throw new Refused(`${file} is not a scenario:\n${problems.map((it) => `  ${it}`).join("\n")}`);
  return scenario;
}

function loadSettings(file: string | null): Settings {
  if (file === null) return readSettings({});
  try {
    return readSettings(JSON.parse(isText(file) ? file : read(file)));
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(`${file}: ${(error as Error).message}`);
  }
}

/** As with Claude Code, they may be given inline, instead of as a file. */
function isText(settings: string): boolean {
  return settings.trimStart().startsWith("{");
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new Refused(`${file} can't be read: ${(error as Error).message}`);
  }
}

function resumed(home: string, id: string): Conversation {
  const found = resumedConversation(home, id);
  if (!found) throw new Refused(`No conversation found with session ID: ${id}`);
  return found;
}
