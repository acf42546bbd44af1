/** `oj token rotate`: a new token takes the place of an old one, which counts a little longer. */
import { parseDuration } from "../../core/text/duration.ts";
import { localTime } from "../../inbox/card/times.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

const OVERLAP = "1d";

export const command = defineCommand({
  name: "token rotate",
  summary: "Replace a token; the old one counts a little longer",
  args: "ID",
  flags: {
    overlap: {
      type: "string",
      value: "D",
      help: `how long the old one still counts (default: ${OVERLAP}); 0 revokes it at once`,
    },
    lasts: { type: "string", value: "D", help: "how long the new one counts (default: as the old one did)" },
  },
  examples: [
    { run: "oj token rotate k3m9x2p4q7ab", does: "prints the new one; both count for a day" },
    { run: "oj token rotate k3m9x2p4q7ab --overlap 0", does: "the old one got into wrong hands" },
  ],

  async run({ client, json, out }, [token = ""], { overlap = OVERLAP, lasts }) {
    const overlap_ms = overlap === "0" ? 0 : parseDuration(overlap);
    if (overlap_ms === null || overlap_ms < 0)
      throw usage(`--overlap takes a time, not "${overlap}"`, `--overlap ${OVERLAP}`);
    const lasts_ms = lasts === undefined ? null : parseDuration(lasts);
    if (lasts !== undefined && (lasts_ms === null || lasts_ms <= 0))
      throw usage(`--lasts takes a time, not "${lasts}"`, "--lasts 90d");
    const made = await client.rotatePersonToken({ token, overlap_ms, lasts_ms });
    if (json) return out.json(made);
    out.print(made.token);
    const { person, scopes, expires_at_ms, replaces } = made;
    out.say(`  ${safeLine(person)} may ${scopes.join(", ")} with it until ${localTime(expires_at_ms)}`);
    if (replaces.counts_until_ms === null) return out.say(`  ${replaces.id} is revoked`);
    out.say(`  ${replaces.id} still counts until ${localTime(replaces.counts_until_ms)}`);
    out.say(`  → oj token revoke ${replaces.id}`);
  },
});
