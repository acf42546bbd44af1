/** `oj person remove`: somebody left, and nothing of theirs counts any more. */
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "person remove",
  summary: "End everything of a person who left, through every door",
  args: "NAME",
  flags: {},
  examples: [
    {
      run: "oj person remove ana",
      does: "tokens, logins, roles, passkeys, addresses: on every machine, at once",
    },
  ],

  async run({ client, json, out }, [name = ""]) {
    const removed = await client.removePerson(name);
    if (json) return out.json(removed);
    const { roles, tokens, passkeys, programs, votes, answers, claims, short, works, settings } = removed;
    const shown = safeLine(removed.name);
    out.print(`${out.style.green("✓")} ${shown} is removed`);
    const line = (what: string, all: readonly string[]) => {
      if (all.length > 0) out.print(`  ${what} ${safeLine(all.join(", "))}`);
    };
    const ended = [
      ...(roles.length > 0 ? [count(roles.length, "role")] : []),
      ...(tokens > 0 ? [count(tokens, "token")] : []),
      ...(passkeys > 0 ? [count(passkeys, "passkey")] : []),
    ];
    line("ended:", ended);
    line("programs that no longer get in:", programs);
    line("votes taken back:", votes);
    line("answers taken back:", answers);
    line("released:", claims);
    line("too few are left to say yes, so only a no or the end of the work settles it:", short);
    line("still runs, started by them:", works);
    line("your config.toml still names them, which counts for nothing now:", settings);
    if (removed.is_owner)
      out.say(`  ${shown} is also this machine's own user: its socket stays open to them`);
    if (works.length > 0) out.say(`  ${out.style.cyan("→")} oj job cancel ${safeLine(works[0] ?? "")}`);
  },
});
