/** `oj who`: who is there now, and when that changes. */
import type { WhoView } from "../api/api.ts";
import { hang, table } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Style } from "../text/style.ts";
import { defineCommand } from "./base/command.ts";
import { shortDate } from "./history/moments.ts";

export const command = defineCommand({
  name: "who",
  summary: "See who is on now, and when that changes",
  args: "",
  flags: {},
  examples: [
    { run: "oj who", does: "people and their hours, groups, and whose turn it is" },
    { run: "oj who -o json | jq -r '.rotas[] | .person'", does: "only whose turn it is" },
  ],

  async run({ client, json, out, now }) {
    const who = await client.who();
    if (json) return out.json(who);
    out.print(whoText(who, out.style, now()));
    const told = [...(who.problem === null ? [] : [who.problem]), ...who.suggestions];
    for (const it of told)
      for (const line of hang(`${out.style.yellow("!")} `, safeLine(it), out.width)) out.say(line);
  },
});

function whoText({ people, groups, rotas, file }: WhoView, style: Style, now: number): string {
  if (people.length === 0) return `there are no people yet: add [person.NAME] to ${safeLine(file)}`;
  const paint = (cell: string, row: number) => (row === 0 ? style.dim(cell) : cell);
  const rows = people.map((it) => [
    it.name,
    it.is_on ? "on" : "off",
    it.changes_at_ms === null
      ? "always"
      : `${it.is_on ? "until" : "from"} ${shortDate(it.changes_at_ms, now)}`,
    it.channels.join(", ") || "no address",
    safeLine(it.hours ?? ""),
  ]);
  const blocks = [table([["PERSON", "NOW", "", "REACHED BY", "HOURS"], ...rows], { heading: true, paint })];
  if (rotas.length > 0) {
    const turns = rotas.map((it) => [`@${it.name}`, it.person, shortDate(it.until_ms, now), it.next]);
    blocks.push(table([["ROTA", "NOW", "UNTIL", "THEN"], ...turns], { heading: true, paint }));
  }
  if (groups.length > 0)
    blocks.push(
      table([["GROUP", "PEOPLE"], ...groups.map((it) => [it.name, it.people.join(", ")])], {
        heading: true,
        paint,
      }),
    );
  return blocks.map((it) => it.join("\n")).join("\n\n");
}
