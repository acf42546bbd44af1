/** `oj audit show`: who asked, what the card showed, who answered through which door, and what came of it. */
import type { AuditView } from "../../api/api.ts";
import { localTime } from "../../inbox/card/times.ts";
import { table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "audit show",
  summary: "Show what is proven about a decision (recorded)",
  args: "ID",
  completes: "decision",
  flags: {},
  examples: [
    { run: "oj audit show dec-4f2a", does: "who, by which door, on what card, and what came of it" },
    { run: "oj audit show dec-4f2a -o json | jq .card_sha256", does: "the hash of what the card showed" },
  ],

  async run({ client, json, out }, [id = ""]) {
    const audit = await client.auditDecision(id);
    if (json) return out.json(audit);
    for (const line of table(rowsOf(audit), {})) out.print(line);
    out.print("");
    const events = audit.events.map(({ seq, at_ms, type, by, via }) => [
      String(seq),
      localTime(at_ms),
      safeLine(type),
      safeLine([by ?? "", via === null ? "" : `(${via})`].join(" ").trim()),
    ]);
    for (const line of table([["EVENT", "AT", "WHAT", "WHO"], ...events], {})) out.print(line);
  },
});

function rowsOf(audit: AuditView): string[][] {
  const { id, title, state, requester, machine, created_at_ms, by, via, answered_at_ms, choice, message } =
    audit;
  const row = (name: string, value: string | null) => (value ? [[name, safeLine(value)]] : []);
  return [
    ...row("decision", `${id}  ${title}`),
    ...row(
      "asked",
      `by ${requester}${machine === null ? "" : ` on ${machine}`}, ${localTime(created_at_ms)}`,
    ),
    ...row("erased", audit.erased && `by ${audit.erased.by}, ${localTime(audit.erased.at_ms)}`),
    ...row("card", audit.card_sha256 && `sha256 ${audit.card_sha256}`),
    ...row("action", audit.action_sha256 && `sha256 ${audit.action_sha256}`),
    ...row("state", state),
    ...row("answered", by && `by ${by}${via === null ? "" : ` (${via})`}${when(answered_at_ms)}`),
    ...row("answer", [choice.join(", "), message ?? ""].filter((it) => it !== "").join(": ")),
    ...row("ran as", audit.ran_sha256 && `sha256 ${audit.ran_sha256}, changed by a person`),
    ...row("policy", audit.policy && `${audit.policy.name} (${audit.policy.hash})`),
    ...audit.signed.flatMap(({ by, passkey, is_valid }) =>
      row("signed", `by ${by} with passkey ${passkey.slice(0, 12)}: ${signatureWords(is_valid)}`),
    ),
    ...row("delivery", audit.delivery.state),
  ];
}

function signatureWords(is_valid: boolean | null): string {
  if (is_valid === null) return "can't be checked, what it was for is erased";
  return is_valid ? "valid" : "NOT VALID";
}

function when(at_ms: number | null): string {
  return at_ms === null ? "" : `, ${localTime(at_ms)}`;
}
