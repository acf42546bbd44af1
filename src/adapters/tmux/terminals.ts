/** The terminals of agents, in a tmux server of our own. Sessions are named after their agents and outlive the daemon. */
import fs from "node:fs/promises";
import type { AgentId } from "../../core/model/ids.ts";
import type { Journal, Sight, TerminalStart, Terminals } from "../../ports.ts";
import { Changed, Unreachable } from "../../ports.ts";
import { endTree } from "../processes/tree.ts";
import type { Control } from "./control.ts";
import { joined } from "./joined.ts";
import { tmuxLink } from "./link.ts";
import { terminalOutput } from "./output.ts";
import type { Pane } from "./panes.ts";
import { isAgentId } from "./panes.ts";
import { CLOCK, FOREIGN_KEYS, OVER, OWN_KEYS, serverEnv } from "./server.ts";
import { sightFormat } from "./sight.ts";
import type { Command } from "./text.ts";
import { commandLine, isKey, literal, pasteable, programArguments } from "./text.ts";
import { terminalWatch } from "./watch.ts";

const MAX_PASTE = 1024 * 1024;
const MAX_SIDE = 2000;
const BUFFER = "oj";
/** Less than a request may take: a request that was given up is not carried out afterwards. */
const IN_TIME_S = 8;
const LATE = "late";
const CHANGED = "changed";
/** A tmux that was stopped may carry out what we say before it reads what programs have printed since. This lets it read first. */
const READ_FIRST: Command = ["run-shell", "-d", "0.02"];

export interface TmuxInput {
  /** Path of the server's socket; a unix socket's path is at most 107 bytes long. */
  socket: string;
  /** Has a folder for each agent, with its output. */
  dir: string;
  /** How much of one agent's output is kept; the oldest half goes first. */
  maxBytes: number;
  /** Between asking processes to end and killing them. */
  killAfterMs: number;
  journal: Journal;
  /** How long tmux may take for an answer. */
  patienceMs?: number;
  /** Where tmux and the programs it needs are found. Agents get none of it. */
  env: Readonly<Record<string, string>>;
}

export function tmuxTerminals(input: TmuxInput): Terminals {
  const output = terminalOutput(input);
  const watch = terminalWatch({ ...input, output });
  const link = tmuxLink({
    ...input,
    env: serverEnv(input.env),
    onLook(panes, ended) {
      watch.onLook(panes, ended);
      for (const pane of panes.values()) if (pane.keys > 0) void keyed(pane);
    },
  });
  const telling = new Set<string>();

  /** Reported once, and then counted from zero. */
  async function keyed({ agent_id, pane, keys }: Pane): Promise<void> {
    if (telling.has(pane)) return;
    telling.add(pane);
    try {
      watch.keyed(agent_id, keys);
      await (await link.reach())?.run(["set-option", "-pu", "-t", pane, FOREIGN_KEYS]);
    } catch (error) {
      input.journal.debug("keys are counted on", { agent_id, error: (error as Error).message });
    } finally {
      telling.delete(pane);
    }
  }

  async function start({ agent_id, argv, cwd, env, columns, rows }: TerminalStart): Promise<void> {
    if (!isAgentId(agent_id)) throw new Error(`"${agent_id}" is not an agent id`);
    const program = programArguments(argv, env);
    const size = ["-x", side(columns), "-y", side(rows)];
    await checkFolder(cwd);
    const control = await link.begin();
    await watch.lost(agent_id);
    const writer = await output.writer(agent_id);
    const names = ["-s", agent_id, "-n", "agent", "-c", literal(cwd)];
    const target = `=${agent_id}:`;
    await link.add(async () => {
      try {
        const [made = []] = await control.run(
          [
            "new-session",
            "-d",
            "-P",
            "-F",
            "#{pane_id}|#{pane_pid}|#{pid}|#{pane_tty}",
            ...names,
            ...size,
            ...program,
          ],
          ["pipe-pane", "-O", "-t", target, writer],
          ["resize-window", "-t", target, ...size],
        );
        const [pane = "", pid, server = "", tty = ""] = made[0]?.split("|") ?? [];
        return {
          agent_id,
          pane,
          server,
          pid: Number(pid),
          tty,
          exit: null,
          unnoticed: false,
          attached: 0,
          keys: 0,
        };
      } catch (error) {
        if (/duplicate session/.test((error as Error).message))
          throw new Error(`${agent_id} already has a terminal`);
        // the next look shows what may have been done; otherwise whatever got this far is ended
        if (!(error instanceof Unreachable))
          await control.run(["kill-session", "-t", target]).catch(() => undefined);
        throw error;
      }
    });
  }

  /**
   * Checking and acting are one command, because tmux crashes when it pastes into a terminal whose program is gone. A tmux that was
   * stopped meanwhile does none of it any more: the caller has given up, and by now the key would go to something else.
   */
  async function whileAlive(
    agent_id: AgentId,
    commandsFor: (pane: string) => Command[],
    { first = [], onto }: { first?: Command[]; onto?: Sight | undefined } = {},
  ) {
    const { control, pane } = await find(agent_id);
    const inTime = `#{<:#{T:${CLOCK}},${Math.floor(Date.now() / 1000) + IN_TIME_S}}`;
    const over: Command = ["set-option", "-gu", OWN_KEYS];
    const when = (format: string, then: string, otherwise: string): Command => [
      ...["if-shell", "-F", "-t", pane.pane, format, then, `display-message -p ${otherwise}`],
    ];
    const typed = commandLine([["set-option", "-g", OWN_KEYS, "1"], ...commandsFor(pane.pane), over]);
    const done = onto ? commandLine([when(sightFormat(onto), typed, CHANGED)]) : typed;
    const commands = commandLine([when(inTime, done, LATE)]);
    const dead = `display-message -p ${OVER}`;
    const replies = await control
      .run(...first, ...(onto ? [READ_FIRST] : []), [
        "if-shell",
        "-F",
        "-t",
        pane.pane,
        "#{pane_dead}",
        dead,
        commands,
      ])
      .catch(async (error) => {
        await control.run(over).catch(() => undefined); // whatever follows a failed command is skipped
        throw error;
      });
    const said = replies.flat();
    if (said.includes(OVER)) throw new Error(`the program of ${agent_id} has ended`);
    if (said.includes(LATE)) throw new Unreachable("tmux got to it too late, and skipped it");
    if (said.includes(CHANGED)) throw new Changed("the screen changed before anything was typed");
  }

  async function find(agent_id: AgentId): Promise<{ control: Control; pane: Pane }> {
    const control = await link.reach();
    const pane = control && (link.panes().get(agent_id) ?? (await link.look()).get(agent_id));
    if (!control || !pane) throw new Error(`${agent_id} has no terminal`);
    return { control, pane };
  }

  /** An agent that floods us with reports makes us look at its screen each time, and tmux does one thing after the other. */
  const looks = joined<string>();

  async function kill(agent_id: AgentId): Promise<void> {
    const pane = (await link.look()).get(agent_id);
    if (pane) {
      await endTree(pane.pid, { graceMs: input.killAfterMs, ended: pane.exit !== null });
      await overSoon(agent_id); // so that its exit is known before its terminal goes
      const control = await link.reach();
      await control?.run(["kill-session", "-t", `=${agent_id}`]).catch(() => undefined);
      if ((await link.look()).get(agent_id)?.pane === pane.pane)
        throw new Error(`the terminal of ${agent_id} could not be closed`);
    }
    await watch.lost(agent_id);
    await output.settled(agent_id);
  }

  async function overSoon(agent_id: AgentId): Promise<void> {
    for (let pause = 2; pause < 1000; pause *= 2) {
      if ((await link.look()).get(agent_id)?.exit !== null) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  return {
    start,
    kill,
    output: output.read,
    printedAt: output.printedAt,
    async list() {
      const panes = [...(await link.look()).values()];
      return panes.map(({ agent_id, pid, exit, attached }) => ({
        agent_id,
        alive: exit === null,
        pid: exit === null ? pid : null,
        exit,
        attached: attached > 0,
      }));
    },
    async paste(agent_id, text, onto) {
      if (Buffer.byteLength(text) > MAX_PASTE) throw new Error("a text of more than 1 MB can't be pasted");
      if (text === "") return;
      const paste = ["paste-buffer", "-p", "-d", "-b", BUFFER];
      const fill = ["set-buffer", "-b", BUFFER, "--", pasteable(text)];
      await whileAlive(agent_id, (pane) => [[...paste, "-t", pane]], { first: [fill], onto });
    },
    async press(agent_id, keys, onto) {
      const unknown = keys.find((it) => !isKey(it));
      if (unknown !== undefined) throw new Error(`${JSON.stringify(unknown)} is not a key`);
      if (keys.length === 0) return;
      const typing = (pane: string): Command[] => [
        ["copy-mode", "-q", "-t", pane], // an attached person may be scrolling, and would get the keys
        ["send-keys", "-t", pane, "--", ...keys],
      ];
      await whileAlive(agent_id, typing, { onto });
    },
    screen(agent_id, { ansi = false, history = 0 } = {}) {
      const how = ["-S", history > 0 ? `-${Math.ceil(history)}` : "0", ...(ansi ? ["-e"] : [])];
      return looks([agent_id, ...how].join(" "), async () => {
        const { control, pane } = await find(agent_id);
        const lines = await control.show(["capture-pane", "-p", "-t", pane.pane, ...how]);
        const text = lines.map((it) => it.trimEnd()).join("\n");
        return text.trimEnd();
      });
    },
    async resize(agent_id, columns, rows) {
      const size = ["-x", side(columns), "-y", side(rows)];
      await whileAlive(agent_id, (pane) => [["resize-window", "-t", pane, ...size]]);
    },
    purge: output.purge,
    attachCommand(agent_id) {
      const attach = ["-u", "-S", input.socket, "attach-session", "-t", `=${agent_id}`];
      return ["env", "-u", "TMUX", "tmux", ...attach]; // a caller inside their own tmux may attach as well
    },
    watch(watcher) {
      link.reach().catch((error) => input.journal.debug("no terminals to watch", { error: error.message }));
      return watch.add(watcher);
    },
    async close() {
      await link.close();
      await watch.close();
    },
  };
}

/** In a folder that can't be entered, tmux would start the program in the home folder instead. */
async function checkFolder(cwd: string): Promise<void> {
  const folder = await fs.stat(cwd).catch(() => null);
  if (!folder?.isDirectory()) throw new Error(`the folder ${cwd} does not exist`);
  await fs.access(cwd, fs.constants.X_OK).catch(() => {
    throw new Error(`the folder ${cwd} can't be entered`);
  });
}

function side(length: number): string {
  if (!Number.isInteger(length) || length < 1 || length > MAX_SIDE)
    throw new Error(`a terminal can't be ${length} wide or high`);
  return String(length);
}
