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
  /** Talk to a daemon of another version as well, and leave it alone. */
  anyVersion?: boolean;
  /** False: a daemon that is absent stays so. */
  starts?: boolean;
  /** Talk to the person who waits: a daemon is started, an old one could not be replaced. */
  say: (text: string) => void;
  abort?: AbortSignal | undefined;
}
