/** The people, their channels, the two servers behind doors that fail, and the daemon between them. */
import fs from "node:fs";
import path from "node:path";
import { fakeMailServer } from "../../fakes/servers/mail.ts";
import { fakeSlack } from "../../fakes/servers/slack.ts";
import type { Life, Place } from "../../torture/daemon.ts";
import { makePlace, startLife } from "../../torture/daemon.ts";
import type { FlakyDoor } from "./flaky-door.ts";
import { flakyDoor } from "./flaky-door.ts";
import type { Seen } from "./seen.ts";

export interface World {
  place: Place;
  slack: Awaited<ReturnType<typeof fakeSlack>>;
  mail: Awaited<ReturnType<typeof fakeMailServer>>;
  doors: { slack: FlakyDoor; mail: FlakyDoor };
  /** `kill -9`, and the next daemon. */
  killAndStart(): Promise<void>;
  starts(): number;
  close(): Promise<void>;
}

/** Slack ids are capitals and digits. */
export const slackIdOf = (person: number) => `U${person}`;
export const mailOf = (person: number) => `p${person}@example.com`;

export async function makeWorld(dir: string, people: number, seen: Seen): Promise<World> {
  const slack = await fakeSlack({ wrote: seen.card });
  const mail = await fakeMailServer({ took: seen.mail });
  const doors = {
    slack: await flakyDoor(Number(new URL(slack.url).port)),
    mail: await flakyDoor(mail.port),
  };
  const place = makePlace(dir, configOf(people, doors));
  for (const [name, text] of [
    ["bot-token", slack.tokens.bot],
    ["app-token", slack.tokens.app],
  ] as const)
    fs.writeFileSync(path.join(dir, "config/oj", name), text, { mode: 0o600 });
  let life: Life = startLife(place);
  let starts = 1;
  await life.ready;
  const forget = setInterval(() => {
    slack.calls.length = 0;
    slack.acks.length = 0;
    mail.mails.length = 0;
  }, 1000);

  return {
    place,
    slack,
    mail,
    doors,
    async killAndStart() {
      await life.kill();
      life = startLife(place);
      starts++;
      await life.ready;
    },
    starts: () => starts,
    async close() {
      clearInterval(forget);
      await life.kill();
      await Promise.all([doors.slack.shut(), doors.mail.shut()]);
      await Promise.all([slack.close(), mail.close()]);
    },
  };
}

/** The project says who hears of it: one person, or for the last tenth of them two. */
function configOf(people: number, { slack, mail }: World["doors"]): string {
  const all = Array.from({ length: people }, (_, person) => person);
  const person = (it: number) => `[person.p${it}]\nmail = "${mailOf(it)}"\nslack = "${slackIdOf(it)}"\n`;
  const route = (it: number) => {
    const names = it < people * 0.9 ? [`"p${it}"`] : [`"p${it}"`, `"p${(it + 1) % people}"`];
    return `[[route]]\nproject = "project-${it}"\nnotify = [${names.join(", ")}]\nvia = ["slack", "mail"]\n`;
  };
  return `
[limits]
requests_per_minute = 1000000000
[history]
max_decisions = 100000
${all.map(person).join("")}
[channel.slack]
bot_token_file = "bot-token"
app_token_file = "app-token"
api_url = "http://127.0.0.1:${slack.port}/api/"
[channel.mail]
smtp = "smtp://127.0.0.1:${mail.port}"
from = "Oddjobs <oj@example.com>"
reply_to = "oj+{token}@example.com"
${all.map(route).join("")}`;
}
