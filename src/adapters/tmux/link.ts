/** Keeps the one connection to our tmux server, reconnects when it breaks, and knows which terminals exist. */
import fs from "node:fs/promises";
import path from "node:path";
import type { AgentId } from "../../core/model/ids.ts";
import type { Journal } from "../../ports.ts";
import { Unreachable } from "../../ports.ts";
import type { Control } from "./control.ts";
import { openControl } from "./control.ts";
import { letGo } from "./end.ts";
import { joined } from "./joined.ts";
import type { Ended, Pane, Panes } from "./panes.ts";
import { endedBetween, PANE_FORMAT, readPanes } from "./panes.ts";
import { watchPtys } from "./pty-watch.ts";
import { checkSocket, checkTmux, isListening, isServer } from "./server.ts";

const LONGEST_PAUSE_MS = 5000;
const LONGEST_END_MS = 5000;

export interface Link {
  /** The connection, or null when no server runs. */
  reach(): Promise<Control | null>;
  /** The connection, with a server of ours started for it if need be. */
  begin(): Promise<Control>;
  /** The terminals as they are now; none when no server runs. */
  look(): Promise<Panes>;
  /** The terminals as they were at the last look. */
  panes(): Panes;
  /** Makes a terminal. What ends from now on has ended after it began. */
  add(make: () => Promise<Pane>): Promise<void>;
  /** Lets go of the terminals. Without any, the server is ended. */
  close(): Promise<void>;
}

export interface LinkInput {
  socket: string;
  env: Readonly<Record<string, string>>;
  journal: Journal;
  patienceMs?: number;
  /** Called after each look, with those that ended since the one before. */
  onLook(panes: Panes, ended: readonly Ended[]): void;
}

export function tmuxLink(input: LinkInput): Link {
  let usable: Promise<void> | null = null;
  let control: Promise<Control> | null = null;
  let panes: Panes = new Map();
  let queue: Promise<unknown> = Promise.resolve();
  let willLook = false;
  let closed = false;
  let unwatch: (() => void) | null = null;
  const looks = joined<Panes>();

  async function check(): Promise<void> {
    if (closed) throw new Unreachable("the terminals have been released");
    checkSocket(input.socket);
    usable ??= checkTmux(input.env);
    await usable.catch((error) => {
      usable = null; // it may be installed by the next time
      throw error;
    });
  }

  async function reach(): Promise<Control | null> {
    await check();
    if (control === null && !(await isListening(input.socket))) return control;
    return begin();
  }

  async function begin(): Promise<Control> {
    await check();
    if (control) return control;
    const opening = connect();
    control = opening;
    opening.catch(() => {
      if (control === opening) control = null;
    });
    return opening;
  }

  async function connect(): Promise<Control> {
    const { socket, env, patienceMs } = input;
    await fs.mkdir(path.dirname(socket), { recursive: true, mode: 0o700 });
    const opened = await openControl({
      socket,
      env,
      ...(patienceMs === undefined ? {} : { patienceMs }),
      onNotice: lookSoon,
      onLost,
    });
    replace(await list(opened));
    unwatch ??= watchPtys({ changed: onDevice, failed: onUnwatchable });
    return opened;
  }

  /**
   * Before 3.5, a tmux built with utempter does not notice the end of a program, one time in twenty, that is killed or closes its
   * terminal just before it ends: while utempter's helper runs, signals are lost. But then its device has gone, and `list` helps.
   */
  function onDevice(device: string): void {
    if ([...panes.values()].some((it) => it.tty === device && it.exit === null)) lookSoon();
  }

  function onUnwatchable(error: Error): void {
    input.journal.warn("some exits may be noticed late", { error: error.message });
  }

  /** Looks and new terminals are queued, so that each is seen to begin before it is seen to end. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  /** A missing connection does not prove that the terminals are gone: whoever is told so ends what was in them. */
  async function look(): Promise<void> {
    if (control) return replace(await list(await control));
    if (await isListening(input.socket))
      await begin(); // lost meanwhile; a new connection begins with a look
    else if (!(await livingServer())) replace(new Map());
  }

  async function livingServer(): Promise<string | null> {
    const known = new Set([...panes.values()].map((it) => it.server));
    for (const server of known) if (await isServer(server)) return server;
    return null;
  }

  function replace(next: Panes): void {
    const ended = endedBetween(panes, next);
    panes = next;
    input.onLook(panes, ended);
  }

  /** Whatever tmux reports, a look shows what it means. Notices that come before the look share it. */
  function lookSoon(): void {
    if (willLook || closed) return;
    willLook = true;
    inOrder(() => {
      willLook = false;
      return look();
    }).catch((error) => input.journal.debug("could not ask tmux", { error: error.message }));
  }

  function onLost(why: Error): void {
    control = null;
    if (!closed) input.journal.warn("the connection to tmux was lost", { error: why.message });
    void recover(100);
  }

  async function recover(pauseMs: number): Promise<void> {
    if (closed) return;
    try {
      if (await isListening(input.socket)) await begin();
      else if (await hasLostItsSocket()) throw new Error("somebody removed its socket");
      else await inOrder(look);
    } catch (error) {
      const nextMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      input.journal.warn("tmux can't be reached", { error: (error as Error).message, again_ms: pauseMs });
      setTimeout(() => void recover(nextMs), pauseMs).unref();
    }
  }

  /** On this signal a server creates its socket again. */
  async function hasLostItsSocket(): Promise<boolean> {
    const server = await livingServer();
    return server !== null && process.kill(Number(server), "SIGUSR1");
  }

  return {
    reach,
    begin,
    panes: () => panes,
    look: () =>
      looks("panes", async () => {
        await reach();
        await inOrder(look);
        return panes;
      }),
    add: (make) =>
      inOrder(async () => {
        const pane = await make();
        replace(new Map<AgentId, Pane>(panes).set(pane.agent_id, pane));
      }),
    async close() {
      const open = await reach().catch(() => null);
      closed = true;
      unwatch?.();
      if (open) {
        const stuck = setTimeout(() => void open.close(), LONGEST_END_MS); // whoever waits for a reply is told so
        await inOrder(() => letGo(open)).catch((error) =>
          input.journal.warn("tmux was left alone", { error: error.message }),
        );
        clearTimeout(stuck);
      }
      if (!(await isListening(input.socket))) await fs.rm(input.socket, { force: true }); // a server leaves it behind
    },
  };
}

/** A server that missed the end of a program looks again when it is told that one of its children has ended. */
async function list(control: Control): Promise<Panes> {
  for (let pause = 2; ; pause *= 2) {
    const [lines = []] = await control.run(["list-panes", "-a", "-F", PANE_FORMAT]);
    const panes = readPanes(lines);
    const missed = [...panes.values()].find((it) => it.unnoticed);
    if (!missed || pause > 100) return panes;
    process.kill(Number(missed.server), "SIGCHLD");
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
