/** `oj login`: keeps the token for a server, once the server has accepted it. Without a token, a code is approved elsewhere. */
import { setTimeout as pause } from "node:timers/promises";
import { remoteClient } from "../../client/remote.ts";
import { Refusal } from "../../core/model/errors.ts";
import { SCOPES } from "../../core/roles/people.ts";
import { parseDuration } from "../../core/text/duration.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { textFrom } from "../base/text-from.ts";
import { addressOf, LOCAL, readContexts, writeContexts } from "../servers/contexts.ts";
import { scopesIn } from "../token/scopes.ts";
import { oncePresent } from "./away.ts";
import { deviceToken } from "./device.ts";

const SCOPE = "ask,answer";
const LASTS = "90d";

export const command = defineCommand({
  name: "login",
  local: true,
  summary: "Log in to the oj of another machine",
  args: "URL",
  flags: {
    "with-token": { type: "boolean", help: "read a token from stdin instead of showing a code" },
    scope: {
      type: "string",
      multiple: true,
      value: "LIST",
      help: `what to ask for, of ${SCOPES.join(",")} (default: ${SCOPE}); never more than your roles`,
    },
    lasts: { type: "string", value: "D", help: `how long it should count (default: ${LASTS})` },
    name: { type: "string", value: "NAME", help: "what to call it (default: its host)" },
  },
  examples: [
    { run: "oj login https://anvil:7433", does: "shows a code, which you approve where you are logged in" },
    { run: "oj login https://anvil:7433 --with-token < token", does: "from now on, commands go there" },
    { run: "oj context use local", does: "… and now to this machine again" },
  ],

  async run({ config, json, out, abort }, [address = ""], given) {
    const url = addressOf(address);
    const lasts_ms = parseDuration(given.lasts ?? LASTS);
    if (lasts_ms === null || lasts_ms <= 0)
      throw usage(`--lasts takes a time, not "${given.lasts}"`, `--lasts ${LASTS}`);
    const scopes = scopesIn(given.scope ?? [SCOPE]);
    const name = given.name ?? new URL(url).hostname;
    if (name === LOCAL) throw usage(`${LOCAL} is this machine`, "--name NAME");
    const token = given["with-token"]
      ? textFrom("--with-token", "-", { config, out }).trim()
      : await deviceToken({ json, out, abort }, { url, scopes, lasts_ms });
    const ask = () => remoteClient({ url, token, via: "cli", abort }).me();
    const wait = (seconds: number) => pause(seconds * 1000, undefined, { signal: abort });
    const me = await (given["with-token"] ? ask() : oncePresent(ask, wait)); // somebody has approved it
    if (me.scopes === null) throw new Refusal("login.refused", `${url} did not look at the token`, null);
    const { contexts } = readContexts(config);
    const others = contexts.filter((it) => it.name !== name);
    writeContexts(config, { current: name, contexts: [...others, { name, url, token }] });
    if (json) return out.json({ name, url, person: me.name });
    out.print(`${out.style.green("✓")} logged in to ${safeLine(url)} as ${safeLine(me.name)}`);
    out.say(`  → oj context use ${LOCAL} goes back to this machine`);
  },
});
