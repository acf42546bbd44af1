/**
 * opencode. Our runner (`oj-acp`) starts its server, follows its events, and answers its permissions and questions; the
 * runner's screen in the agent's terminal is where a person may take over. `docs/adr/0018` says why.
 */
import { acp, launchBehindRunner } from "../acp/client.ts";
import type { AgentClient } from "../client.ts";

export const opencode: AgentClient = {
  ...acp,
  kind: "opencode",
  isStartedBy: (word, args) =>
    /(^|\/)opencode$|^opencode-ai(@[^/]*)?$/.test(word) && !/^[^-]/.test(args[0] ?? ""),
  launch: (input) => launchBehindRunner(input, "--server-of-opencode ", ""),
};
