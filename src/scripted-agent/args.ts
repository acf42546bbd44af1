/** The command line of a client: whatever is not a flag is the prompt. Pure. */

export interface Args {
  scenario: string | null;
  settings: string | null;
  sessionId: string | null;
  resume: string | null;
  permissionMode: string;
  record: string | null;
  print: boolean;
  prompt: string | null;
  /** Asks for something other than a run. */
  asks: "help" | "version" | "check" | null;
}

export const USAGE = `oj-agent plays a scenario and speaks the hooks of Claude Code.

  oj-agent [--scenario FILE] [--settings FILE] [--session-id UUID | --resume UUID] [PROMPT]
  oj-agent -p --scenario FILE PROMPT      without a terminal: plays one turn and exits
  oj-agent --check FILE                   says what is wrong with a scenario

  --scenario FILE          what to play; also OJ_AGENT_SCENARIO
  --settings FILE          whose hooks to call
  --session-id UUID        the id of the new conversation
  --resume UUID            continues a conversation
  --permission-mode MODE   default, acceptEdits, plan, auto or bypassPermissions
  --record FILE            records what the agent is told, as JSON lines; also OJ_AGENT_RECORD
  -p, --print              no dialogs; what it says goes to stdout
`;

export class UsageError extends Error {}

const MODES = ["default", "manual", "acceptEdits", "plan", "auto", "bypassPermissions", "dontAsk"];

export function readArgs(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Args {
  const args: Args = {
    scenario: env.OJ_AGENT_SCENARIO || null,
    settings: null,
    sessionId: null,
    resume: null,
    permissionMode: "default",
    record: env.OJ_AGENT_RECORD || null,
    print: false,
    prompt: null,
    asks: null,
  };
  const words = [...argv];
  const prompt: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name, inline] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const value = () => inline ?? words.shift() ?? missing(name ?? "");
    switch (name ?? word) {
      case "--scenario":
        args.scenario = value();
        break;
      case "--check":
        args.asks = "check";
        args.scenario = value();
        break;
      case "--settings":
        args.settings = value();
        break;
      case "--session-id":
        args.sessionId = value();
        break;
      case "--resume":
        args.resume = value();
        break;
      case "--permission-mode":
        args.permissionMode = modeOf(value());
        break;
      case "--dangerously-skip-permissions":
        args.permissionMode = "bypassPermissions";
        break;
      case "--record":
        args.record = value();
        break;
      case "-p":
      case "--print":
        args.print = true;
        break;
      case "-h":
      case "--help":
        args.asks = "help";
        break;
      case "-v":
      case "--version":
        args.asks = "version";
        break;
      case "--":
        prompt.push(...words.splice(0));
        break;
      default:
        if (/^-./.test(word)) throw new UsageError(`unknown option ${word}`);
        prompt.push(word);
    }
  }
  if (prompt.length > 1) throw new UsageError("there can be only one prompt; put it in quotes");
  if (args.resume !== null && args.sessionId !== null)
    throw new UsageError("--resume and --session-id can't be used together");
  return { ...args, prompt: prompt[0] ?? null };
}

function modeOf(mode: string): string {
  if (!MODES.includes(mode)) throw new UsageError(`${mode} is not one of ${MODES.join(", ")}`);
  return mode === "manual" ? "default" : mode;
}

function missing(name: string): never {
  throw new UsageError(`${name} needs a value`);
}
