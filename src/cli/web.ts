/** `oj web`: a link to the inbox in a browser, and which browsers are logged in. */
import { shortAge } from "../core/text/words.ts";
import { table } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Context } from "./base/command.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import { openUrl } from "./base/open-url.ts";

export const command = defineCommand({
  name: "web",
  summary: "Open the inbox in a browser",
  args: "[ID]",
  flags: {
    "no-open": { type: "boolean", help: "only print the link" },
    logins: { type: "boolean", help: "list the browsers that are logged in" },
    logout: { type: "boolean", help: "log out the browser with that ID, or all of them" },
  },
  examples: [
    { run: "oj web", does: "opens it, or prints the link" },
    { run: "oj web dec-7k3", does: "opens it at that decision" },
    { run: "oj web --logout", does: "logs out every browser" },
  ],
  completes: "decision",

  async run(context, [id, ...more], { "no-open": quiet, logins, logout }) {
    if (more.length > 0) throw usage("oj web takes one ID", "oj web --help");
    if (logins && (logout || id !== undefined)) throw usage("--logins takes nothing else", "oj web --logins");
    if (logins) return listLogins(context);
    if (logout) return logOut(context, id ?? null);
    return open(context, id, quiet ?? false);
  },
});

async function open(context: Context, decision: string | undefined, quiet: boolean): Promise<void> {
  const { client, config, json, out } = context;
  const link = await client.makeWebLink(decision === undefined ? {} : { decision });
  if (json) return out.json(link);
  out.print(link.url);
  const isOpened = !quiet && out.isTerminal && (await openUrl(link.url, config.env));
  out.say(
    isOpened
      ? "opened in your browser; the link works once"
      : "open it in a browser on this machine within two minutes; it works once",
  );
}

async function logOut({ client, json, out }: Context, id: string | null): Promise<void> {
  const { ended } = await client.endWebLogins(id);
  if (json) return out.json({ ended });
  out.print(ended === 1 ? "1 browser is logged out" : `${ended} browsers are logged out`);
}

async function listLogins({ client, json, out, now }: Context): Promise<void> {
  const all = await client.webLogins();
  if (json) return out.json(all);
  if (all.length === 0) return out.print("no browser is logged in");
  const rows = all.map((it) => [it.id, shortAge(now() - it.used_at_ms), safeLine(it.browser)]);
  for (const line of table([["ID", "USED", "BROWSER"], ...rows])) out.print(line);
}
