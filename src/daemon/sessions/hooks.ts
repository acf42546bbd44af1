/** Handles the hooks of sessions that oj did not start: records their turns, and tells them what waits for them. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { sessionDoors } from "../../agents/known/clients.ts";
import { asTaken } from "../../agents/promises.ts";
import type { SessionDoor, SessionNews } from "../../agents/session-door.ts";
import type { HookQuery } from "../../api/api.ts";
import type { Prompt } from "../../core/model/agent-types.ts";
import { sessionRecipient } from "../../core/model/queue-types.ts";
import { drain, drainOf, received, returned } from "../../core/outbox/queue.ts";
import type { Look } from "../../core/policy/files.ts";
import { underPolicies } from "../../core/policy/ruling.ts";
import { promoteForSession } from "../../core/request/promote.ts";
import { askStop, endStops, openStops } from "../../core/session/stop.ts";
import type { Reporter, Verdict } from "../../core/session/turn.ts";
import { checkTurn, clearTurn, foundSession, openRequests, turnEnds } from "../../core/session/turn.ts";
import { questionIn } from "../../core/text/asks.ts";
import { drainWords } from "../../core/text/queue-words.ts";
import { blockedWords, OVERRIDDEN, UNOFFERED } from "../../core/text/turn-words.ts";
import type { Ports } from "../../ports.ts";
import { withDiff } from "../agents/hooks/prompt-diff.ts";
import { deadline } from "../engine/deadline.ts";
import type { Service } from "../http/service.ts";
import { sessionConfigIn } from "../runbooks/project.ts";
import type { AskedDialog, HookReply, SessionDialogs } from "./dialogs.ts";
import { saidBefore } from "./said-before.ts";

type Told = Pick<Ports, "journal" | "clock" | "readSource" | "isRunning">;

export interface SessionHooks {
  handle(hook: unknown, query: HookQuery, abort: AbortSignal): Promise<HookReply>;
}

/** The most entries in one response: a hook must not bring too many words, whoever wrote them. */
const ENTRIES = 50;

export function startSessionHooks(
  {
    engine,
    hub,
    stopping,
    policies,
    ports,
  }: Pick<Service, "engine" | "hub" | "stopping" | "policies"> & { ports: Told },
  dialogs: SessionDialogs,
): SessionHooks {
  const { journal, clock } = ports;

  /** A client that was killed leaves its hook behind, which takes the response for it: nobody has it then. */
  async function handle(hook: unknown, query: HookQuery, abort: AbortSignal): Promise<HookReply> {
    const { client = "" } = query;
    const isKnown = ports.isRunning(client) === true; // not if it runs where we can't see it, as in a container
    const { body, sent } = await replyTo(hook, query, abort);
    if (!sent || !isKnown) return { body, ...(sent ? { sent } : {}) };
    return { body, sent: (arrived) => sent(arrived && ports.isRunning(client) !== false) };
  }

  async function replyTo(
    hook: unknown,
    { of, part, stops = false, hold = !stops, soft = false, wait_s, client }: HookQuery,
    abort: AbortSignal,
  ): Promise<HookReply> {
    const read = readBy(sessionDoors, of, hook);
    if (!read) return { body: {} };
    const { door, said } = read;
    const from = await reporterOf(said, client ?? null);
    switch (part ?? said.what) {
      case "turn-clear":
        await engine.run((state) => clearTurn(state, from));
        return { body: {} };
      case "turn-mark":
        await engine.run((state) => foundSession(state, from));
        return { body: {} };
      case "turn-check": {
        if (said.isBusy) return { body: {} };
        const { body, goesOn } = await check(door, said, from, soft);
        if (!goesOn) await engine.run((state) => turnEnds(state, said.session));
        return { body };
      }
      case "stopped": {
        await dialogs.wentOn(said.session, { butSubagents: said.isBusy });
        const { body, goesOn } = said.isBusy || !(hold || soft) ? ENDS : await check(door, said, from, soft);
        if (said.isBusy || goesOn) return { body };
        await engine.run((state) => turnEnds(state, said.session));
        const isWaiting = door.staysFree || questionIn(said.last_message) !== null;
        const isHeld = stops && wait_s !== undefined && isWaiting;
        const stop = { last_message: said.last_message, isHeld, hears: wait_s !== undefined };
        if (stops) {
          // a reply that nothing waits for would only hide that it has stopped
          const look = isHeld ? await lookFor(said, null) : null;
          await engine.run((state, moment) =>
            underPolicies(state, askStop(state, from, stop, moment), look, moment),
          );
        }
        if (wait_s === undefined) return { body };
        await untilSettled({ session: said.session, isHeld }, wait_s * 1000, abort);
        return abort.aborted ? { body } : tell(said, body);
      }
      case "asked":
        return said.dialog === null
          ? { body: {} }
          : dialogs.ask(door, from, reported(door, said, said.dialog), abort);
      case "prompted":
        await dialogs.wentOn(said.session);
        await engine.run((state, moment) => [
          ...clearTurn(state, from),
          ...endStops(state, said.session, WENT_ON, moment),
        ]);
        return tell(said);
      case "ran":
        await dialogs.wentOn(said.session, { name: said.tool });
        await engine.run((state, moment) => [
          ...foundSession(state, from),
          ...(said.isSubagents ? [] : endStops(state, said.session, WENT_ON, moment)),
        ]);
        return said.isSubagents ? { body: {} } : tell(said);
      case "woken":
      case "started":
        await engine.run((state, moment) => [
          ...foundSession(state, from),
          ...endStops(state, said.session, WENT_ON, moment),
        ]);
        return tell(said);
      case "ended":
        await dialogs.wentOn(said.session);
        await engine.run((state, moment) => [
          ...endStops(state, said.session, "the session has ended", moment),
          ...promoteForSession(state, said.session, "the session has ended"),
        ]);
        return { body: {} };
      case "other":
        return { body: {} };
    }
  }

  const reported = (door: SessionDoor, said: SessionNews, dialog: Prompt) => ({
    name: said.tool,
    isSubagents: said.isSubagents,
    prepare: () => askedDialog(door, said, dialog),
  });

  /** With all that a person should see: what it would do to a file, and what the session said before. */
  async function askedDialog(door: SessionDoor, said: SessionNews, dialog: Prompt): Promise<AskedDialog> {
    const prompt = asTaken(await withDiff(ports, door, dialog, placeOf(said)), door.takesChanges);
    const look = await lookFor(said, prompt);
    const last_message = said.last_message || (await saidBefore(ports, door, dialog, said.transcript));
    return { prompt, look, last_message };
  }

  /** The workspace of a session is its project's folder; relative words are read from where the hook says it is. */
  async function lookFor({ cwd, last_message }: SessionNews, prompt: Prompt | null): Promise<Look | null> {
    if (!path.isAbsolute(cwd)) return null;
    const { root } = sessionConfigIn(cwd);
    const call = prompt?.kind === "approval" ? prompt : null;
    const look = await policies.look({ root, cwd, workspace: root }, call);
    return look && { ...look, said: last_message };
  }

  /** The project is looked up in the session's folder once, when the session is new. */
  async function reporterOf({ session, cwd }: SessionNews, client: string | null): Promise<Reporter> {
    const known = await engine.read((state) => state.sessions.get(session)?.project ?? null);
    return { session, cwd, client, project: known ?? projectOf(cwd) };
  }

  /** `goesOn`: the turn does not end here. */
  async function check(
    door: SessionDoor,
    { last_message }: SessionNews,
    from: Reporter,
    soft: boolean,
  ): Promise<{ body: object; goesOn: boolean }> {
    let verdict: Verdict = "ends";
    await engine.run((state) => {
      const checked = checkTurn(state, from, { soft, last_message });
      verdict = checked.verdict;
      return checked.facts;
    });
    const blocks = await engine.read((state) => state.sessions.get(from.session)?.blocks ?? 0);
    switch (verdict as Verdict) {
      case "ends":
        return ENDS;
      case "overridden":
        journal.warn("a turn ended without a decision", { session: from.session, project: from.project });
        return { body: door.remark(OVERRIDDEN), goesOn: false };
      case "blocked":
        return soft
          ? { body: door.remark(UNOFFERED), goesOn: false }
          : { body: door.block(blockedWords(blocks)), goesOn: true };
    }
  }

  /** Returns once nothing that the session asked is pending, it has waited long enough, or somebody has pressed Esc. */
  async function untilSettled(
    { session, isHeld }: { session: string; isHeld: boolean },
    wait_ms: number,
    abort: AbortSignal,
  ): Promise<void> {
    const until = deadline(clock, wait_ms, abort, stopping);
    const asked = () =>
      engine.read((state) => [...openRequests(state, session), ...(isHeld ? openStops(state, session) : [])]);
    try {
      let open = await asked();
      while (open.length > 0 && !until.abort.aborted) {
        const changed = hub.next(open, until.abort);
        const before = open;
        open = await asked();
        if (open.some((id) => before.includes(id))) await changed;
      }
    } finally {
      until.disarm();
    }
  }

  /**
   * Tells the session what waits for it. That counts as received only if the response arrived; otherwise it goes back
   * to the queue.
   */
  async function tell({ session, tell: telling }: SessionNews, otherwise: object = {}): Promise<HookReply> {
    const key = { recipient: sessionRecipient(session), drain_id: randomUUID() };
    const taken = await engine.run((state, moment) =>
      drain(state, { ...key, limit: ENTRIES, open: true }, moment),
    );
    if (taken.length === 0) return { body: otherwise };
    const text = await engine.read((state) => {
      const waiting = state.queues.get(key.recipient)?.entries.length ?? 0;
      const drained = drainOf(state, key);
      return drained ? drainWords(drained, waiting) : "";
    });
    return {
      body: telling(text),
      sent(arrived) {
        engine
          .run((state) => (arrived ? received(state, key) : returned(state, key)))
          .catch((error: Error) =>
            journal.warn("could not record whether a hook got its response", { error: error.message }),
          );
      },
    };
  }

  return { handle };
}

const WENT_ON = "it continued in its terminal";

const ENDS = { body: {}, goesOn: false };

/** A hook belongs to the client that it names, or else to the first one that can read it. */
function readBy(
  doors: readonly SessionDoor[],
  of: string | undefined,
  hook: unknown,
): { door: SessionDoor; said: SessionNews } | null {
  for (const door of doors) {
    if (of !== undefined && door.name !== of) continue;
    const said = door.read(hook);
    if (said) return { door, said };
  }
  return null;
}

function projectOf(cwd: string): string {
  if (!path.isAbsolute(cwd)) return "unknown";
  return sessionConfigIn(cwd).project;
}

/** Where the session works: its files may be anywhere in its project. */
function placeOf({ cwd }: SessionNews): { cwd: string; roots: string[] } {
  return { cwd, roots: path.isAbsolute(cwd) ? [cwd, sessionConfigIn(cwd).root] : [] };
}
