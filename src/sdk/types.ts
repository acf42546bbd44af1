/** The words of `oddjobs/client`: what a program gives and gets. What it does with them is `main.ts`. */
import type {
  DecisionQuery,
  DecisionView,
  EventQuery,
  RequestBody,
  ResolveBody,
  ResolveResult,
  TemplateView,
} from "../api/api.ts";
import type { Event } from "../core/model/events.ts";
import type { Outcome, Pending } from "./outcome.ts";

/** Where to connect, and as whom. Everything has the default that `oj` has in the same place. */
export interface ConnectInput {
  /** The folder whose project, runbooks and templates count; else the current one. */
  cwd?: string | undefined;
  /** The project, in place of the folder's own. */
  project?: string | undefined;
  /** Ask under this name: it has one pending question at a time, and a new one replaces it. Else the user asks. */
  as?: string | undefined;
  /** Start the daemon when none runs (else true). A daemon that runs is never replaced, whatever its version. */
  start?: boolean | undefined;
  /**
   * The environment: `OJ_STATE_DIR`, `OJ_PROJECT`, `OJ_USER`, and `OJ_AGENT_TOKEN`, with which an agent that `oj` runs is
   * known. Else `process.env`.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A question, as `oj decision request` takes it. */
export interface Ask
  extends Partial<Omit<RequestBody, "project" | "cwd" | "as" | "session" | "options" | "request_key">> {
  /** The question itself. */
  prompt: string;
  /** One to four answers to choose from; a template may bring its own. */
  options?: (string | { label: string; description?: string | null })[] | undefined;
  /** Yours, 16 to 100 characters: a program that is started again and asks with the same key has the same question. Else a new one. */
  request_key?: string | undefined;
}

/** How long to wait. */
export interface Wait {
  /** Milliseconds, or as people write it: `"30s"`, `"1h30m"`. Else for as long as it takes. */
  timeout?: number | string | undefined;
  /** Ends the wait; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A question, and how long to wait for its answer. */
export interface Decide extends Ask, Wait {
  /** What an abort does to the question: take it back (else), or leave it for somebody to `await` later. */
  onAbort?: "cancel" | "leave" | undefined;
}

/** An answer. */
export interface AnswerInput extends ResolveBody {
  /** The number of the option; short for `choices: [[n]]`. */
  choice?: number | undefined;
}

/** Which events, and from where on. */
export interface Watch extends EventQuery {
  /** Ends the iteration; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What a program can do with decisions. Each call connects for itself: there is nothing to close. */
export interface Oddjobs {
  /**
   * Asks a person and waits for the answer, over restarts of the daemon.
   *
   * ```ts
   * const outcome = await oj.decide({ prompt: "Ship it?", options: ["Yes", "No"], timeout: "30m" });
   * if (outcome.kind === "answered" && outcome.option?.label === "Yes") ship();
   * ```
   */
  decide(question: Decide): Promise<Outcome>;
  /** Asks and returns at once. The answer comes with `await` or `check`. */
  request(question: Ask): Promise<DecisionView>;
  /** Waits until a decision is settled, over restarts of the daemon. An abort or a timeout leaves it as it is. */
  await(id: string, wait?: Wait): Promise<Outcome>;
  /** How a decision stands now. */
  check(id: string): Promise<Outcome | Pending>;
  /** Pending decisions by urgency and age; with `all`, every one that is kept. */
  list(query?: DecisionQuery): Promise<DecisionView[]>;
  /** Answers a decision. People do that: an agent's token is refused. */
  resolve(id: string, answer: AnswerInput): Promise<ResolveResult>;
  /** Takes a question back. */
  cancel(id: string, input?: { reason?: string | null }): Promise<DecisionView>;
  /** The shapes of questions that the project knows, with an example each. */
  templates(): Promise<TemplateView[]>;
  /** For an agent that `oj` runs: it is done, needs a person, or has failed. */
  signal(signal: "done" | "escalate" | "fail", input?: { message?: string | null }): Promise<void>;
  /**
   * Events as they are committed: from now on, or all after the sequence number `after`. It goes on over restarts of the daemon
   * where it was, so that nothing is lost and nothing comes twice. `break`, or an abort, ends it.
   */
  events(watch?: Watch): AsyncIterableIterator<Event>;
}
