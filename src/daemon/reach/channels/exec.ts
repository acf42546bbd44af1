/** A program of the person's, for whatever we have no channel for. It gets an event as JSON and says by its exit how it went. */
import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { execInput } from "../../../channels/exec/input.ts";
import type { EventName } from "../../../channels/webhook/event.ts";
import { EVENTS, nextEvent, toldOf, toldText } from "../../../channels/webhook/event.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { mendText } from "../../../core/text/safe-text.ts";
import type { Channel, Given, Outgoing, Sent } from "../channel.ts";
import { ChannelError } from "../channel.ts";

const WITHIN_MS = 30_000;
/** What it prints is read up to here, for the last line of an error. */
const MOST_BYTES = 16 * 1024;
const LONGEST_LINE = 200;
/** "Try again later", as sysexits.h has it. */
const TEMPFAIL = 75;
const KNOWN = ["command", "events"];

export async function make({ config, ports: { clock } }: Given): Promise<Channel> {
  const { program, args, events } = readSettings(config.name, config.settings);
  const running = new Set<() => void>();
  let trouble: string | null = null;

  /** Resolves with why it failed, or null. Whatever it started is ended with it. */
  function run(input: string): Promise<Failure | null> {
    return new Promise((resolve) => {
      const child = spawn(program, args, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "pipe"] });
      const end = () => {
        if (child.pid === undefined) return;
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch {
          // it is over
        }
      };
      let isLate = false;
      const disarm = clock.after(WITHIN_MS, () => {
        isLate = true;
        end();
      });
      const errors = tail(child.stderr);
      running.add(end);
      const done = (failure: Failure | null) => {
        disarm();
        running.delete(end);
        resolve(failure);
      };
      child.on("error", (error) =>
        done({ why: `${program} can't be started: ${error.message}`, isFinal: true }),
      );
      child.on("close", (code) => {
        end(); // what it left behind
        if (isLate) return done({ why: `${program} took longer than ${WITHIN_MS / 1000} s`, isFinal: false });
        const words = errors();
        const why = `${program} exited with ${code ?? "a signal"}${words === "" ? "" : `: ${words}`}`;
        done(code === 0 ? null : { why, isFinal: code !== TEMPFAIL });
      });
      child.stdin.on("error", () => {}); // it may not care what it is told
      child.stdin.end(input);
    });
  }

  async function hear(message: Outgoing, sent: string | null): Promise<Sent> {
    const told = sent === null ? null : toldOf(sent);
    const type = nextEvent(message.decision, told);
    if (type === null) return { ref: sent };
    if (events.includes(type)) {
      const person = message.person?.name ?? null;
      const others = message.others.map((it) => it.decision);
      const failure = await run(`${JSON.stringify(execInput(type, { ...message, person, others }))}\n`);
      trouble = failure?.why ?? null;
      if (failure) throw new ChannelError(failure.why, failure);
    }
    return { ref: toldText({ count: (told?.count ?? 0) + 1, last: type }) };
  }

  return {
    kind: "exec",
    name: config.name,
    room: null,
    isLocal: true,
    addressOf: ({ name, addresses }) => addresses.exec ?? name,
    send: (message) => hear(message, null),
    change: hear,
    check: async () => trouble,
    async close() {
      for (const end of running) end();
    },
  };
}

interface Failure {
  why: string;
  isFinal: boolean;
}

/** The last line of what it says, however much that is. */
function tail(stream: NodeJS.ReadableStream): () => string {
  let kept = Buffer.alloc(0);
  stream.on("data", (part: Buffer) => {
    kept = Buffer.concat([kept, part]).subarray(-MOST_BYTES);
  });
  return () => mendText(kept.toString("utf8").trim().split("\n").at(-1) ?? "").slice(0, LONGEST_LINE);
}

function readSettings(name: string, settings: Readonly<Record<string, unknown>>) {
  const other = Object.keys(settings).find((it) => !KNOWN.includes(it));
  if (other !== undefined) throw invalid(`Unknown setting "channel.${name}.${other}"`);
  const { command, events = ["decision.created", "decision.settled"] } = settings;
  const words: unknown[] = Array.isArray(command) ? command : [command];
  if (words.length === 0 || !words.every((it): it is string => typeof it === "string" && it !== ""))
    throw invalid(`channel.${name}.command must be a program, or a list of a program and its arguments`);
  const [first = "", ...args] = words;
  const program = first.startsWith("~/") ? path.join(os.homedir(), first.slice(2)) : first;
  if (program.includes("/") && !path.isAbsolute(program))
    throw invalid(`channel.${name}.command must be a full path, or a name that is found in PATH`);
  const all: readonly string[] = EVENTS;
  if (!Array.isArray(events) || events.length === 0 || !events.every((it) => all.includes(it)))
    throw invalid(`channel.${name}.events must be a list of some of ${EVENTS.join(", ")}`);
  return { program, args, events: events as EventName[] };
}

function invalid(message: string): Refusal {
  return new Refusal("config.invalid", message, 'command = ["/usr/local/bin/page-me", "--quiet"]');
}
