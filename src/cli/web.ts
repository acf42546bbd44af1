/** `oj web`: a link to the inbox in a browser, which browsers are logged in, and which get push messages. */
import { shortAge } from "../core/text/words.ts";
import { table } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Context } from "./base/command.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import { openUrl } from "./base/open-url.ts";

export const command = defineCommand({
  name: "web",
  local: true,
  summary: "Open the inbox in a browser",
  args: "[ID]",
  flags: {
    "no-open": { type: "boolean", help: "only print the link" },
    logins: { type: "boolean", help: "list the browsers that are logged in" },
    logout: { type: "boolean", help: "log out the browser with that ID, or all of them" },
    elsewhere: { type: "boolean", help: "print a link for a phone or another machine, at web.url" },
    devices: { type: "boolean", help: "list the browsers that get push messages" },
    forget: { type: "string", placeholder: "ID", help: "send that browser no more push messages" },
  },
  examples: [
    { run: "oj web", does: "opens it, or prints the link" },
    { run: "oj web dec-7k3", does: "opens it at that decision" },
    { run: "oj web --logout", does: "logs out every browser" },
    { run: "oj web --elsewhere", does: "prints a link for your phone" },
  ],
  completes: "decision",

  async run(context, [id, ...more], { "no-open": quiet, logins, logout, elsewhere, devices, forget }) {
    if (more.length > 0) throw usage("oj web takes one ID", "oj web --help");
    if (logins && (logout || id !== undefined)) throw usage("--logins takes nothing else", "oj web --logins");
    if (devices && (logout || logins || id !== undefined))
      throw usage("--devices takes nothing else", "oj web --devices");
    if (logins) return listLogins(context);
    if (devices) return listDevices(context);
    if (forget !== undefined) return forgetDevice(context, forget);
    if (logout) return logOut(context, id ?? null);
    if (elsewhere) return linkElsewhere(context, id);
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

async function linkElsewhere({ client, json, out }: Context, decision: string | undefined): Promise<void> {
  const link = await client.makeWebLink({ elsewhere: true, ...(decision === undefined ? {} : { decision }) });
  if (json) return out.json(link);
  out.print(link.url);
  out.say("open it there within two minutes; it works once");
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

async function listDevices({ client, json, out, now }: Context): Promise<void> {
  const { subscriptions, why } = await client.pushStatus();
  if (json) return out.json(subscriptions);
  if (subscriptions.length === 0)
    return out.print(`no browser gets push messages${why === null ? "" : `: ${safeLine(why)}`}`);
  const rows = subscriptions.map((it) => [
    it.id,
    safeLine(it.person),
    safeLine(it.browser),
    it.told_at_ms === null ? "never" : shortAge(now() - it.told_at_ms),
    safeLine(it.error ?? ""),
  ]);
  for (const line of table([["ID", "PERSON", "BROWSER", "TOLD", "PROBLEM"], ...rows])) out.print(line);
}

async function forgetDevice({ client, json, out }: Context, id: string): Promise<void> {
  await client.removePushSubscription(id);
  if (json) return out.json({ forgotten: id });
  out.print(`${id} gets no more push messages`);
}
