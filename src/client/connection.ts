/** What is needed to reach the daemon, or to start it. */

export interface Connection {
  socket: string;
  stateDir: string;
  daemonFile: string;
  user: string;
  via: string;
  env: Readonly<Record<string, string>>;
  agentToken?: string | undefined;
  session?: string | undefined;
  run?: string | undefined;
  /** Talk to a daemon of another version too, and leave it alone. */
  anyVersion?: boolean;
  /** False: don't start a daemon if there is none. */
  starts?: boolean;
  /** Tells the person who is waiting that a daemon is being started, or that an old one could not be replaced. */
  say: (text: string) => void;
  abort?: AbortSignal | undefined;
  /** Told when the daemon can't reach its store: what it shows is as of then. */
  dated?(as_of_ms: number): void;
}
