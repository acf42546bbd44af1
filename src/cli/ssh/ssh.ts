/**
 * `oj ssh`: what sshd runs for a key, whatever its holder asks for (a forced command). The line in `authorized_keys`
 * names the person; what they asked for is in `SSH_ORIGINAL_COMMAND`, and is never given to a shell.
 */
import path from "node:path";
import type { ApiClient } from "../../api/api.ts";
import { clientOf } from "../../client/client.ts";
import { isAbsent } from "../../client/disconnect.ts";
import type { Config } from "../../config.ts";
import { loadConfig } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Command, Context } from "../base/command.ts";
import { commandsOf, defineCommand } from "../base/command.ts";
import { exitCodeOf, refusalBody, refusalText, toRefusal, usage } from "../base/fail.ts";
import { invoke } from "../base/invoke.ts";
import { talkStyle, talkWidth } from "../base/output.ts";
import { readFlags, readWords, wantsJson } from "../base/parse.ts";
import { textFrom } from "../base/text-from.ts";
import { ALLOWED, isAllowed, refuseFlags } from "./allowed.ts";
import { authorizedLine, publicKeyIn } from "./key.ts";
import { wordsOf } from "./words.ts";

export const command = defineCommand({
  name: "ssh",
  local: true,
  lenient: true,
  summary: "Let a person in by ssh: what sshd runs for their key",
  args: "",
  flags: {
    as: { type: "string", value: "PERSON", help: "who comes (oj person)" },
    key: { type: "string", value: "FILE|-", help: "print the line for authorized_keys, for this public key" },
    "state-dir": { type: "string", value: "DIR", help: "the daemon's folder; no variable can change it" },
  },
  examples: [
    {
      run: "oj ssh --as ana --key ana.pub >> ~/.ssh/authorized_keys",
      does: "ana then calls: ssh HOST oj decision list",
    },
  ],

  async run(context, _, { as, key, "state-dir": stateDir }) {
    if (as === undefined) throw usage("who comes?", "oj ssh --as PERSON --key FILE");
    const { config } = context;
    if (config.agentToken !== undefined || config.run !== undefined || config.session !== undefined)
      throw new Refusal("request.forbidden", "this is for sshd, not for agents", null);
    if (key !== undefined) return printLine(context, as, key);
    const { SSH_CONNECTION: from, SSH_ORIGINAL_COMMAND: asked } = config.env;
    if (from === undefined)
      throw usage("sshd runs this, for a key in authorized_keys", `oj ssh --as ${as} --key FILE.pub`);
    const words = asked === undefined ? [] : wordsOf(asked);
    try {
      return await serve(context, { words, as, stateDir, address: from.split(" ")[0]?.slice(0, 64) ?? "" });
    } catch (error) {
      if (context.abort.aborted) throw error;
      return tell(context, absent(error), words);
    }
  },
});

interface Asked {
  words: readonly string[];
  as: string;
  stateDir: string | undefined;
  address: string;
}

async function serve(context: Context, { words, as, stateDir, address }: Asked): Promise<number> {
  const [program, ...typed] = words;
  if (program !== "oj")
    throw usage(`this key is for oj commands, as ${as}, and for nothing else`, "ssh HOST oj decision list");
  const argv = typed[0] === "help" ? [...typed.slice(1), "--help"] : typed;
  const commands = commandsOf(context);
  const { name, rest } = readWords(argv, commands.isCommand, commands.isGroup);
  if (!commands.isCommand(name)) return overview(context, name, rest);
  const found = await commands.loadCommand(name);
  if (!isAllowed(found.name))
    throw new Refusal(
      "request.forbidden",
      `oj ${found.name} can't be called by ssh: it is for a shell on the machine itself`,
      "ssh HOST oj --help",
    );
  refuseFlags(found, rest);
  if (readFlags(rest, found).flags.help) return usageOf(context, found);
  let as_of_ms: number | null = null;
  const dated = (ms: number) => {
    as_of_ms = ms;
  };
  const clientFor = (config: Readonly<Config>, abort: AbortSignal): ApiClient =>
    clientOf({
      socket: config.socket,
      user: "",
      via: "cli",
      vouched: { person: as, door: "ssh", address },
      dated,
      anyVersion: true,
      abort,
    });
  return invoke(found, rest, context.out, async ({ json, project }) => {
    const config = plainConfig(context.config.env, stateDir, project);
    const remote = (abort: AbortSignal) => clientFor(config, abort);
    const asOf = () => as_of_ms;
    return { ...context, json, config, client: remote(context.abort), remote, asOf, mayCall: isAllowed };
  });
}

/** `oj COMMAND --help`: what of it can be used here. */
function usageOf({ out }: Context, { name, args, summary, flags }: Command): number {
  out.print(`oj ${name} ${args}`.trimEnd());
  out.print(`  ${summary}`);
  for (const flag of ALLOWED[name] ?? []) {
    const { value, help = "" } = flags[flag] ?? {};
    out.print(`  --${flag}${value === undefined ? "" : ` ${value}`}  ${help}`);
  }
  return 0;
}

/** What ssh passes on from the other side is no setting of ours: only these variables count, and no folder's settings. */
function plainConfig(
  given: Readonly<Record<string, string>>,
  stateDir: string | undefined,
  project: string | undefined,
): Readonly<Config> {
  const kept = ["HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "NO_COLOR"];
  const env = Object.fromEntries(Object.entries(given).filter(([name]) => kept.includes(name)));
  const config = loadConfig(stateDir === undefined ? env : { ...env, OJ_STATE_DIR: stateDir }, "/", {
    project,
    lenient: true,
  });
  return Object.freeze({ ...config, session: undefined, mayBeSession: false });
}

/** `oj`, `oj --help`, and words that name nothing. */
function overview({ out }: Context, group: string, rest: readonly string[]): number {
  const [word] = rest.filter((it) => !it.startsWith("-"));
  if (word !== undefined)
    throw usage(`oj ${group} has no command "${word}"`.replace("  ", " "), "ssh HOST oj --help");
  const names = Object.keys(ALLOWED).filter((it) => group === "" || it.startsWith(`${group} `));
  for (const it of names) out.print(`oj ${it}`);
  return 0;
}

async function printLine(context: Context, as: string, file: string): Promise<void> {
  const { client, config, out, json } = context;
  const key = publicKeyIn(textFrom("--key", file === "-" ? file : `@${file}`, context));
  const people = await client.people();
  if (!people.some((it) => it.name === as))
    throw new Refusal("person.not-found", `there is nobody called ${as}`, `oj invite ${as}`);
  const isElsewhere = plainConfig(config.env, undefined, undefined).stateDir !== config.stateDir;
  const line = authorizedLine(
    [
      ...[process.execPath, path.resolve(process.argv[1] ?? "oj"), "ssh", "--as", as],
      ...(isElsewhere ? ["--state-dir", config.stateDir] : []),
    ],
    key,
  );
  if (json) return out.json({ line });
  out.print(line);
  const { reachConfig } = await import("../../reach-config/read.ts");
  if (!reachConfig(config)().config.doors.ssh)
    out.say("  nobody gets in by it until your settings say: [ssh] enabled = true");
}

function absent(error: unknown): unknown {
  if (!isAbsent(error)) return error;
  return new Refusal(
    "daemon.unreachable",
    "the daemon is not running on that machine",
    "there: oj daemon start",
  );
}

function tell({ out, config }: Context, error: unknown, words: readonly string[]): number {
  const refusal = toRefusal(error);
  if (wantsJson(words)) out.json(refusalBody(refusal));
  else out.say(refusalText(refusal, talkStyle(config.noColor), talkWidth()));
  return exitCodeOf(refusal.code);
}
