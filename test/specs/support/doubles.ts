/**
 * Doubles of the clients that people run, each playing the same turns in its own way: by Claude Code's hooks, by Codex's
 * hooks and its screen, by opencode's server, by ACP with permissions alone (as Gemini), and by ACP with forms. Each
 * writes down what it is told.
 */
import fs from "node:fs";
import path from "node:path";
import type { Cast } from "./agents.ts";
import type { Project } from "./project.ts";

const FAKES = path.join(import.meta.dirname, "../../fakes");
const ACP = path.join(FAKES, "acp-agent.mjs");

export const CLIENTS = ["claude", "codex", "opencode", "gemini", "acp"] as const;
export type Client = (typeof CLIENTS)[number];

/** The last words of a turn. */
export const endOf = (turn: number) => `Turn ${turn} is over.`;
/** A command that the person allows. All others are denied, with a reason. */
export const FREE = "echo free";

/** How long they play: each turn asks so many questions, for a permission, and what to do next. */
export interface Length {
  turns: number;
  questions: number;
}

export const askedIn = ({ turns, questions }: Length) => turns * (questions + 2);

/** The blocks of a runbook, by the name of the client. */
export function cast(length: Length): Record<Client, Cast> {
  const scenario = { turns: ownTurns(length) };
  const acp = `acp:${process.execPath} ${ACP} $HOME/plays/acp.json $HOME/records/$OJ_AGENT.jsonl --takes-reasons`;
  return {
    claude: { scenario },
    codex: { scenario: "codex --enable default_mode_request_user_input" },
    opencode: { scenario: "opencode" },
    gemini: { scenario: "gemini" },
    acp: { scenario: acp },
  };
}

/** Puts the doubles where the agents find them, with what they play. */
export function settle({ home, env }: Project, length: Length): void {
  env.HOME = home;
  const bin = path.join(home, "clients");
  const plays = path.join(home, "plays");
  for (const it of [bin, plays]) fs.mkdirSync(it);
  env.PATH = `${bin}:${env.PATH}`;
  for (const it of ["codex", "opencode"])
    fs.symlinkSync(path.join(FAKES, `clients/${it}.mjs`), path.join(bin, it));
  const gemini = `exec "${process.execPath}" "${ACP}" "$HOME/plays/gemini.json" "$HOME/records/$OJ_AGENT.jsonl" --takes-reasons`;
  fs.writeFileSync(path.join(bin, "gemini"), `#!/bin/sh\n${gemini}\n`, { mode: 0o755 });
  const played = {
    codex: ownTurns(length),
    opencode: ownTurns(length),
    gemini: turnsOf(length, (n, k) => acpCall(`${FREE} ${n} ${k}`), acpDenied),
    acp: turnsOf(length, (n, k) => acpForm(questionOf(n, k)), acpDenied),
  };
  for (const [name, play] of Object.entries(played))
    fs.writeFileSync(path.join(plays, `${name}.json`), JSON.stringify(play));
}

function turnsOf(
  { turns, questions }: Length,
  asks: (turn: number, k: number) => object,
  denied: (turn: number) => object,
): object[][] {
  const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1);
  return upTo(turns).map((n) => [...upTo(questions).map((k) => asks(n, k)), denied(n), { say: endOf(n) }]);
}

const questionOf = (turn: number, k: number) => `Turn ${turn}, question ${k}?`;

const ownTurns = (length: Length) =>
  turnsOf(
    length,
    (n, k) => ({ ask: { question: questionOf(n, k), options: ["Yes", "No"] } }),
    (n) => ({ tool: "Bash", input: `echo turn ${n}`, denied: "Then not.", go_on: true }),
  );

const acpDenied = (turn: number) => acpCall(`echo turn ${turn}`);

function acpCall(command: string): object {
  const options = [
    { optionId: "y", name: "Allow", kind: "allow_once" },
    { optionId: "n", name: "Reject", kind: "reject_once" },
  ];
  const toolCall = { toolCallId: command, title: command, kind: "execute", rawInput: { command } };
  return { ask: "session/request_permission", with: { toolCall, options }, runs: command };
}

function acpForm(title: string): object {
  const requestedSchema = { type: "object", properties: { q: { type: "string", title } }, required: ["q"] };
  return { ask: "elicitation/create", with: { mode: "form", message: "", requestedSchema } };
}
