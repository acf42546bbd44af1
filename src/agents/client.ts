/**
 * What an agent client must be able to report and do. Pure: hook JSON → what was seen, our answers → its replies and
 * keys, how it starts.
 */
import type { Observation } from "../core/agent/agent.ts";
import type { CallEnd } from "../core/agent/dialog.ts";
import type { Agent, Prompt, Reply } from "../core/model/agent-types.ts";
import type { AgentKind } from "../core/model/clients.ts";
import type { FileChange } from "../core/text/file-diff.ts";
import type { ClientSettings, HookKind } from "./client-settings.ts";
import type { Promises } from "./promises.ts";
import type { SessionDoor } from "./session-door.ts";

/** What a client can do. Other code asks about these capabilities, never which client it is. */
interface Capabilities {
  /** The kinds of hooks it reports with, best first. None: only its terminal tells us about it. */
  hooks: readonly HookKind[];
  /** The settings that may switch its hooks off; null if nothing can. */
  settings: ClientSettings | null;
  /** How to look after its own sessions, which oj did not start; null if we can't. */
  session: SessionDoor | null;
  /** It shows that it has read what it was told. For other clients, a screen that reacted has to do. */
  givesReceipts: boolean;
  /** `look` understands its screen. For other clients, we know only what the runbook declares. */
  hasKnownScreen: boolean;
  /** What it asks, and what an answer is worth: what it can't honour is not offered. */
  promises: Promises;
  /** While a dialog's hook is open, it does not draw the dialog. Somebody who attaches could not answer. */
  hidesDialogs: boolean;
  /** It reports the end of a call that was refused. For other clients, whatever they do next is the receipt. */
  reportsRefusals: boolean;
  /** When it reports its start: once it is up, or with the first words that it is told. */
  reportsStart: "at once" | "when told";
  /** It asks whether it may trust the folder it is started in. */
  asksTrust: boolean;
  /** It writes a call to its conversation's file a moment after it reports the call's dialog. */
  writesCalls: boolean;
  /** The environment variables, besides HOME, that say where it keeps things. */
  variables: readonly string[];
  /** What to say about a version older than the one we are tested with; null if there is nothing to say. */
  olderThanTested: ((version: string | null) => string | null) | null;
}

export interface AgentClient extends Capabilities {
  /** Its name in everything that is recorded. */
  kind: AgentKind;
  /**
   * Whether this word of a `run` line is the client: by a path, by its package, or by the script in that package.
   * `args`: the words after it, for a client that we run only in some of its ways.
   */
  isStartedBy(word: string, args: readonly string[]): boolean;
  /**
   * Whether these arguments on its `run` line make it end with its turn. It then never waits for input, and a
   * successful exit means that it is done.
   */
  endsWithTurn(args: readonly string[]): boolean;
  /** The program to start, with the files it needs. */
  launch(input: LaunchInput): Launch;
  /** What a hook says. It is hostile until parsed; what makes no sense is refused. Null: it says nothing to us. */
  read(hook: unknown): HookMeaning | null;
  /** The body of the response to a hook that is open for a dialog; null if only keys can give this reply. */
  reply(prompt: Prompt, reply: Reply): object | null;
  /** What the call that a dialog is about would do to a file; null if it changes none that it names. */
  fileChange(prompt: Prompt): FileChange | null;
  /** The name that its hooks give to a call: what a `tool` of `HookMeaning` has as its key. */
  callName(tool: string, input: unknown): string;
  /** What the screen shows now, as far as we can tell. */
  look(screen: string): Look;
  /** Words of which each dialog draws some, and which are not drawn around the composer. */
  dialogMarks: readonly string[];
  /**
   * The next thing to do at the keyboard to give this reply to the dialog on this screen. A closed loop: it is called
   * again after each step.
   */
  keys(prompt: Prompt, reply: Reply, screen: string, done: readonly KeyStep[]): KeyStep;
  /** The dialog on the screen as it is, each option with its keys: for a dialog that no hook reported. */
  shown(screen: string): ShownMenu | null;
  /** Whether this is the dialog on the screen. */
  shows(prompt: Prompt, screen: string): boolean;
  /** What it asks at the end of its screen, as the runbook declares it: for clients without hooks. */
  declared(agent: Agent, screen: string): Prompt | null;
  /**
   * How far the conversation on the screen has come: whether somebody said something, and whether the client replied.
   */
  heard(screen: string): "nothing" | "words" | "words and reply";
  /**
   * How often these words appear in the conversation on the screen, however they are wrapped. Words that are only typed
   * don't count.
   */
  timesSaid(screen: string, text: string): number;
  /** What is in the composer and has not been sent. */
  composed(screen: string): string;
  /** The keys that delete this unsent text, wherever the cursor is in it. */
  clearing(composed: string): string[];
  /** What the ends of the conversation's file and of its subagents' files say. */
  kept(transcript: string, subagents: readonly string[]): Kept;
  /** What happened according to lines added to that file since a time, oldest first: what hooks would have reported. */
  news(lines: string, since_ms: number): Seen[];
  /** Where it keeps a conversation; null if it keeps none. */
  keeps(place: KeepingPlace, conversation: string): Keeping | null;
  /** Whether the dialog on the screen takes words along with a Yes. */
  amends(screen: string): boolean;
  /** The files of a conversation's subagents: their folder, and how their names end. Null if there are none. */
  subagentsOf(transcript: string): { folder: string; ending: string } | null;
  /** The conversation that a file in the registry names (see `Keeping`). */
  registered(note: string): string | null;
  /** Whether the conversation in this file can be resumed, judging by the file's beginning. */
  resumes(transcript: string): boolean;
  /** Text that is safe to paste: no part of it can become a command of the client. */
  guard(text: string): string;
}

export interface LaunchInput {
  /** The runbook's `run` line as a script, without its values (they travel in `env`). */
  script: string;
  values: Readonly<Record<string, string>>;
  /** What to tell it first: a new task, or what it missed. */
  message: string | null;
  /** The conversation to resume, or null for a new one under the given id. */
  resume: string | null;
  conversation: string;
  /** Where its hooks report, and the environment variable with the token that says who reports. */
  hookUrl: string;
  tokenVariable: string;
  /** A folder of the agent's own for generated files. */
  folder: string;
  /** The kind of hooks to report with. */
  hooks: HookKind;
}

export interface Launch {
  argv: string[];
  env: Record<string, string>;
  /** Files to write before it starts, by absolute path. */
  files: Record<string, string>;
  /** True if the message is among the arguments. Otherwise it has to be pasted once the agent is ready. */
  saysMessage: boolean;
}

/** An observation without the parts that only the daemon knows. */
export type Seen = Observation extends infer O ? (O extends { tail: string } ? Omit<O, "tail"> : O) : never;

export interface HookMeaning {
  /** The conversation that can be resumed from now on; null while nothing has been said in it. */
  conversation: { id: string; transcript: string | null } | null;
  seen: Seen[];
  /** The response stays open until the dialog is answered. */
  staysOpen: boolean;
  /**
   * A tool is about to run: the call's own id, and the name that a dialog about it would have. It is checked and
   * answered at once.
   */
  tool: { use: string; key: string; refuse(reason: string): object } | null;
  /** The client asks for text to begin with, after a startup, resume, clear or compact. */
  prime: "startup" | "resume" | "clear" | "compact" | null;
  /** Makes the response that carries words to the agent, if this hook's response can. */
  tell: ((text: string) => object) | null;
  /** Such words reach the agent itself in the middle of its turn, not one of its subagents. */
  hears: boolean;
  /** Everything that the last responses carried goes to the model now. Whatever it does next, it does knowing that. */
  reads: boolean;
  /** What this says about the agent's turn, if anything. */
  turn: Turn | null;
}

export interface ShownMenu {
  text: string;
  /** The line that says what is wanted. */
  asks: string;
  choices: Prompt["choices"];
  /** The option that trusts the folder, if that is what the dialog asks. */
  trust: Prompt["choices"][number] | null;
}

/** Where a client was started. */
export interface KeepingPlace {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  cwd: string;
  folder: string;
}

export interface Keeping {
  file: string;
  /** Where to look for that file's folder, in case it has another name. */
  among: string | null;
  /**
   * The folder with a file for each process, `<pid>.json`, which names the conversation of that process; see
   * `registered`.
   */
  registry: string | null;
}

export interface Kept {
  /** Calls without a result: a dialog may be about one of them. */
  open: Prompt[];
  /** Calls with a result, and what came of them: no dialog is about them any more. */
  ended: ({ key: string } & CallEnd)[];
  last_message: string;
  /** Somebody has said something in the conversation. */
  begun: boolean;
  /** The error that the conversation ends with, if any. */
  error: { kind: string; message: string } | null;
}

/**
 * How far a client has come since it started: it is ready for input, it works on it, or it waits for work in the
 * background.
 */
export type Turn = "ready" | "begun" | "resting";

export type Look =
  | {
      state: "dialog";
      kind: "approval" | "question" | "plan" | "trust" | "other";
      options: { number: number; label: string; selected: boolean }[];
      /** The whole dialog in some form: if this is the same, nothing in the dialog has changed. */
      text: string;
      /** The lines that say what it is about, as they are drawn. */
      body: readonly string[];
    }
  | { state: "idle" }
  | { state: "working" }
  | { state: "unknown" };

export type KeyStep =
  /**
   * Press these keys, then see whether the screen changed. `sends`: they end the dialog. Once they took effect, a
   * dialog on the screen is the next one, however much it looks like this one.
   */
  | { type: "press"; keys: string[]; sends?: true }
  /** Type this text, then look. */
  | { type: "type"; text: string }
  /** Nothing to do now; look again soon. */
  | { type: "wait" }
  /** The dialog is gone: the reply went in. */
  | { type: "done" }
  /** This dialog can't take that reply, or it is another dialog. */
  | { type: "give-up"; reason: string };
