/** `oj login`: keeps the token for a server, once the server has accepted it. */
import { remoteClient } from "../../client/remote.ts";
import { Refusal } from "../../core/model/errors.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { textFrom } from "../base/text-from.ts";
import { addressOf, LOCAL, readContexts, writeContexts } from "../servers/contexts.ts";

export const command = defineCommand({
  name: "login",
  local: true,
  summary: "Log in to the oj of another machine",
  args: "URL",
  flags: {
    "with-token": { type: "boolean", help: "read the token from stdin" },
    name: { type: "string", value: "NAME", help: "what to call it (default: its host)" },
  },
  examples: [
    { run: "oj login https://anvil:7433 --with-token < token", does: "from now on, commands go there" },
    { run: "oj context use local", does: "… and now to this machine again" },
  ],

  async run({ config, json, out, abort }, [address = ""], given) {
    const url = addressOf(address);
    if (!given["with-token"])
      throw usage("give the token on stdin, with --with-token", "there: oj token create --for NAME");
    const token = textFrom("--with-token", "-", { config, out }).trim();
    const name = given.name ?? new URL(url).hostname;
    if (name === LOCAL) throw usage(`${LOCAL} is this machine`, "--name NAME");
    const me = await remoteClient({ url, token, via: "cli", abort }).me();
    if (me.scopes === null) throw new Refusal("login.refused", `${url} did not look at the token`, null);
    const { contexts } = readContexts(config);
    const others = contexts.filter((it) => it.name !== name);
    writeContexts(config, { current: name, contexts: [...others, { name, url, token }] });
    if (json) return out.json({ name, url, person: me.name });
    out.print(`${out.style.green("✓")} logged in to ${safeLine(url)} as ${safeLine(me.name)}`);
    out.say(`  → oj context use ${LOCAL} goes back to this machine`);
  },
});
