/** The types of `oddjobs/client`: what a program passes in and gets back. The implementation is in `main.ts`. */
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

/** Where to connect, and as whom. Every field has the default that `oj` would use in the same place. */
export interface ConnectInput {
  /** The folder whose project, runbooks and templates are used. Default: the current folder. */
  cwd?: string | undefined;
  /** The project, instead of the folder's own. */
  project?: string | undefined;
  /**
   * Ask under this name. A name has one pending question at a time; a new one replaces it. Default: ask as the user.
   */
  as?: string | undefined;
  /** Start the daemon if none is running. Default: true. A running daemon is never replaced, whatever its version. */
  start?: boolean | undefined;
  /**
   * The environment: `OJ_STATE_DIR`, `OJ_PROJECT`, `OJ_USER`, and `OJ_AGENT_TOKEN`, which identifies an agent that `oj`
   * runs. Default: `process.env`.
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
  /**
   * Your own key, 16 to 100 characters. A program that restarts and asks with the same key gets the same question.
   * Default: a new key.
   */
  request_key?: string | undefined;
}

/** How long to wait. */
export interface Wait {
  /** Milliseconds, or a duration such as `"30s"` or `"1h30m"`. Default: as long as it takes. */
  timeout?: number | string | undefined;
  /** Ends the wait; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A question, and how long to wait for its answer. */
export interface Decide extends Ask, Wait {
  /** What an abort does to the question: withdraw it (the default), or leave it for somebody to `await` later. */
  onAbort?: "cancel" | "leave" | undefined;
}

/** An answer. */
export interface AnswerInput extends ResolveBody {
  /** The number of the option; short for `choices: [[n]]`. */
  choice?: number | undefined;
}

/** Which events, and where to start. */
export interface Watch extends EventQuery {
  /** Ends the iteration; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What a program can do with decisions. Each call opens its own connection, so there is nothing to close. */
export interface Oddjobs {
  /**
   * Asks a person and waits for the answer, even if the daemon restarts meanwhile.
   *
   * ```ts
   * const outcome = await oj.decide({ prompt: "Ship it?", options: ["Yes", "No"], timeout: "30m" });
   * if (outcome.kind === "answered" && outcome.option?.label === "Yes") ship();
   * ```
   */
  decide(question: Decide): Promise<Outcome>;
  /** Asks and returns at once. Get the answer with `await` or `check`. */
  request(question: Ask): Promise<DecisionView>;
  /**
   * Waits until a decision is settled, even if the daemon restarts meanwhile. An abort or a timeout leaves the decision
   * as it is.
   */
  await(id: string, wait?: Wait): Promise<Outcome>;
  /** Returns the current state of a decision without waiting. */
  check(id: string): Promise<Outcome | Pending>;
  /** Lists pending decisions by urgency and age; with `all`, every decision that is kept. */
  list(query?: DecisionQuery): Promise<DecisionView[]>;
  /** Answers a decision. Only people may do that: an agent's token is refused. */
  resolve(id: string, answer: AnswerInput): Promise<ResolveResult>;
  /** Withdraws a question. */
  cancel(id: string, input?: { reason?: string | null }): Promise<DecisionView>;
  /** Lists the project's templates, each with an example. */
  templates(): Promise<TemplateView[]>;
  /** For an agent that `oj` runs: reports that it is done, needs a person, or has failed. */
  signal(signal: "done" | "escalate" | "fail", input?: { message?: string | null }): Promise<void>;
  /**
   * Yields events as they are committed: from now on, or all after the sequence number `after`. After a restart of the
   * daemon it continues where it was, so no event is lost or repeated. `break` or an abort ends it.
   */
  events(watch?: Watch): AsyncIterableIterator<Event>;
}
