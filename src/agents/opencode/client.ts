/**
 * opencode. Our runner (`oj-acp`) starts its server, follows its events, and answers its permissions and questions; the
 * runner's screen in the agent's terminal is where a person may take over. `docs/adr/0018` says why.
 */
import { acp, launchBehindRunner } from "../acp/client.ts";
import type { AgentClient } from "../client.ts";
import { ALL_EXACT } from "../promises.ts";
import { opencodeSession } from "./session.ts";

export const opencode: AgentClient = {
  ...acp,
  kind: "opencode",
  promises: { ...ALL_EXACT, edited: null, plan: null }, // it has no dialog for a plan
  session: opencodeSession,
  isStartedBy: (word, args) =>
    /(^|\/)opencode$|^opencode-ai(@[^/]*)?$/.test(word) && !/^[^-]/.test(args[0] ?? ""),
  launch: (input) => launchBehindRunner(input, "--server-of-opencode ", ""),
};
