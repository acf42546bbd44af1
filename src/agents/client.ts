/** What an agent client must be able to tell and do. Pure: hook JSON → what was seen, our answers → its replies and keys, how it starts. */
import type { Observation } from "../core/agent/agent.ts";
import type { CallEnd } from "../core/agent/dialog.ts";
import type { Agent, Prompt, Reply } from "../core/model/agent-types.ts";
import type { AgentKind } from "../core/model/clients.ts";
import type { ClientSettings, HookKind } from "./client-settings.ts";
import type { SessionDoor } from "./session-door.ts";

/** What a client can do. Whoever works with one asks for these, and never which client it is. */
interface Capabilities {
  /** The kinds of hooks that it reports by, the best first. None: its terminal is all that tells of it. */
  hooks: readonly HookKind[];
  /** Its settings may switch hooks off; null where nothing can. */
  settings: ClientSettings | null;
  /** Its own sessions, which oj did not start, can be looked after too. */
  session: SessionDoor | null;
  /** It shows that it has read what it was told. Of others, a screen that reacted has to do. */
  givesReceipts: boolean;
  /** `look` knows its screen. Of others, only what the runbook declares is known. */
  hasKnownScreen: boolean;
  /** It asks whether it may trust the folder that it is started in. */
  asksTrust: boolean;
  /** Its conversation's file has a call a moment after its dialog was reported. */
  writesCalls: boolean;
  /** The environment variables that say where it keeps things, beside HOME. */
  variables: readonly string[];
  /** What to say of a version that is older than the one we are tested with; null when there is nothing to say. */
  olderThanTested: ((version: string | null) => string | null) | null;
}

export interface AgentClient extends Capabilities {
  /** Its name in all that is recorded. */
  kind: AgentKind;
  /** Is this word of a `run` line the client? By a path, by its package, or by the script that the package holds. */
  isStartedBy(word: string): boolean;
  /** Told this on its `run` line, it ends with its turn: it never waits for words, and a good end means that it is done. */
  endsWithTurn(args: readonly string[]): boolean;
  /** The program to start, with the files it needs. */
  launch(input: LaunchInput): Launch;
  /** What a hook says. Hostile until parsed: refuses what makes no sense. Null: it says nothing to us. */
  read(hook: unknown): HookMeaning | null;
  /** The body of the response to a hook that is held for a dialog; null where only keys can say it. */
  reply(prompt: Prompt, reply: Reply): object | null;
  /** What the screen shows now, as far as that can be told. */
  look(screen: string): Look;
  /** The next thing to do at the keyboard so that the dialog on this screen gets this reply. Closed loop: called again after each. */
  keys(prompt: Prompt, reply: Reply, screen: string, done: readonly KeyStep[]): KeyStep;
  /** The dialog on the screen as it stands, each option with its keys: for one that no hook told us of. */
  shown(screen: string): ShownMenu | null;
  /** Is this the dialog on the screen? */
  shows(prompt: Prompt, screen: string): boolean;
  /** What the runbook says that it asks like this, at the end of its screen: for clients without hooks. */
  declared(agent: Agent, screen: string): Prompt | null;
  /** How far the conversation on the screen has come: somebody said something, and it answered. */
  heard(screen: string): "nothing" | "words" | "words and reply";
  /** How often these words stand in the conversation on the screen, however they are broken into lines; what is only typed does not count. */
  timesSaid(screen: string, text: string): number;
  /** What stands in the place where one writes and was not sent off. */
  composed(screen: string): string;
  /** The keys that take this draft out again, wherever in it the cursor is. */
  clearing(composed: string): string[];
  /** What the end of the file says that keeps the conversation, and of its subagents' files. */
  kept(transcript: string, subagents: readonly string[]): Kept;
  /** What lines that were added to that file since a time say happened, oldest first: what hooks would have told. */
  news(lines: string, since_ms: number): Seen[];
  /** Where it keeps a conversation; null where it keeps none. */
  keeps(place: KeepingPlace, conversation: string): Keeping | null;
  /** Does the dialog on the screen take words beside a Yes? */
  amends(screen: string): boolean;
  /** The files of a conversation's subagents: their folder, and how their names end; null where there are none. */
  subagentsOf(transcript: string): { folder: string; ending: string } | null;
  /** The conversation that a file of the registry names (see `Keeping`). */
  registered(note: string): string | null;
  /** Can the conversation be gone on with that this file (its beginning) keeps? */
  resumes(transcript: string): boolean;
  /** Text that is safe to paste: nothing of it can become a command of the client. */
  guard(text: string): string;
}

export interface LaunchInput {
  /** The runbook's `run` line as a script, its values apart (they travel in `env`). */
  script: string;
  values: Readonly<Record<string, string>>;
  /** What to tell it first: a new task, or what it missed. */
  message: string | null;
  /** The conversation to go on with, or null for a new one under the given id. */
  resume: string | null;
  conversation: string;
  /** Where its hooks report, and the token that says who reports (as the name of an environment variable). */
  hookUrl: string;
  tokenVariable: string;
  /** A folder of the agent's own for generated files. */
  folder: string;
  /** The kind of hooks to report by. */
  hooks: HookKind;
}

export interface Launch {
  argv: string[];
  env: Record<string, string>;
  /** Files to write before it starts, by absolute path. */
  files: Record<string, string>;
  /** The message is among the arguments; otherwise it has to be pasted once the agent is ready. */
  saysMessage: boolean;
}

/** An observation without the parts that only the daemon knows. */
export type Seen = Observation extends infer O ? (O extends { tail: string } ? Omit<O, "tail"> : O) : never;

export interface HookMeaning {
  /** The conversation that can be gone on with from now on; null while nothing has been said in it. */
  conversation: { id: string; transcript: string | null } | null;
  seen: Seen[];
  /** The response stays open until the dialog is answered. */
  staysOpen: boolean;
  /** A tool is about to run: the call's own id, and the name that a dialog about it would have. Checked, and answered at once. */
  tool: { use: string; key: string; refuse(reason: string): object } | null;
  /** The client asks for text to begin with: startup, resume, clear or compact. */
  prime: "startup" | "resume" | "clear" | "compact" | null;
  /** Makes the response that carries words for the agent, where the hook's response can. */
  tell: ((text: string) => object) | null;
  /** Such words reach the agent itself, in the middle of its turn, and not a helper of its own. */
  hears: boolean;
  /** All that the last responses carried goes to the model now: whatever it does next, it does knowing it. */
  reads: boolean;
  /** What this says of its turn, if anything. */
  turn: Turn | null;
}

export interface ShownMenu {
  text: string;
  /** The line that says what is wanted. */
  asks: string;
  choices: Prompt["choices"];
  /** The option that trusts the folder, where that is what it asks. */
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
  /** Where the folder of that file is, should it have another name. */
  among: string | null;
  /** The folder with a file for each process, `<pid>.json`, that names its conversation; see `registered`. */
  registry: string | null;
}

export interface Kept {
  /** Calls without a result: a dialog may be about one of them. */
  open: Prompt[];
  /** The calls that have one, with what came of them: no dialog is about them any more. */
  ended: ({ key: string } & CallEnd)[];
  last_message: string;
  /** Somebody has said something in it. */
  begun: boolean;
  /** The error that the conversation ends with. */
  error: { kind: string; message: string } | null;
}

/** How far a client has come since it was started: it takes words, it works on them, or it waits for work in the background. */
export type Turn = "ready" | "begun" | "resting";

export type Look =
  | {
      state: "dialog";
      kind: "approval" | "question" | "plan" | "trust" | "other";
      options: { number: number; label: string; selected: boolean }[];
      /** All of it, in some form: when this is the same, nothing in the dialog has changed. */
      text: string;
    }
  | { state: "idle" }
  | { state: "working" }
  | { state: "unknown" };

export type KeyStep =
  /** Press these, then look whether the screen changed. */
  | { type: "press"; keys: string[] }
  /** Type this text, then look. */
  | { type: "type"; text: string }
  /** Nothing to do now; look again soon. */
  | { type: "wait" }
  /** The dialog is gone: the reply went in. */
  | { type: "done" }
  /** This dialog can't be given that reply, or it is another dialog. */
  | { type: "give-up"; reason: string };
