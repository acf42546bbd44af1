/** `oj crew cancel`: ends runs of crews, with their sessions. */
import { command } from "../command.ts";
import { cancelRuns } from "../job/cancel.ts";
import { crewId } from "./id.ts";

export const it = command({
  name: "crew cancel",
  summary: "End crews, with their agents' sessions",
  args: "ID…",
  flags: { reason: { type: "string", value: "TEXT", help: "why; it is kept with the crew" } },
  completes: "crew",
  examples: [{ run: "oj crew cancel crew-7k3m", does: "its run is cancelled, and its session ends" }],
  run: (context, ids, { reason }) => cancelRuns(context, ids.map(crewId), { reason: reason ?? null }),
});
