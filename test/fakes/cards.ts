/** Cards of decisions, as the inboxes describe them, and the pieces that tests expect in them. */
import type { DecisionView } from "../../src/api/api.ts";
import type { QuoteName } from "../../src/core/text/quote.ts";
import { quoted } from "../../src/core/text/quote.ts";
import { describe } from "../../src/inbox/card/describe.ts";
import { decision, NOW } from "./fake-client.ts";

export const HEAD = 'Agent builder (agt-1), step "build" of feature (job-1)';

export type About = Partial<DecisionView> & {
  what?: string;
  quotes?: Partial<Record<QuoteName, string>>;
  ours?: string;
};

/** A decision about an agent, with the context that core writes. */
export function about({
  what = "The agent has stopped and is waiting",
  quotes = {},
  ours = "",
  ...more
}: About) {
  const told = Object.entries(quotes).map(([name, text]) => quoted(name as QuoteName, text));
  const context = [`${what}\n${HEAD}`, ours, ...told].filter((it) => it !== "").join("\n\n");
  return describe(
    decision({ agent_id: "agt-1", source: "idle", context, options: undefined, ...more } as never),
    NOW,
  );
}

export const action = (input: unknown, tool = "Bash") => ({ tool, input, sha256: "" });
export const code = (label: string | null, text: string, language = "text") => ({
  type: "code",
  label,
  language,
  text,
});
