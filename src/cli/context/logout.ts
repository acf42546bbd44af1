/** `oj logout`: forgets the token for a server. */
import { Refusal } from "../../core/model/errors.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { findContext, readContexts, writeContexts } from "../servers/contexts.ts";

export const command = defineCommand({
  name: "logout",
  local: true,
  summary: "Forget the token for another machine",
  args: "[NAME]",
  flags: {},
  examples: [{ run: "oj logout anvil", does: "the token stays valid there: oj token revoke ID ends it" }],

  async run({ config, json, out }, [given]) {
    const all = readContexts(config);
    const name = given ?? all.current;
    if (name === null)
      throw new Refusal("context.not-found", "you are not logged in anywhere", "oj context list");
    const { url } = findContext(all, name);
    const contexts = all.contexts.map((it) => (it.name === name ? { ...it, token: null } : it));
    writeContexts(config, { current: all.current === name ? null : all.current, contexts });
    if (json) return out.json({ name, url });
    out.print(`${out.style.green("✓")} logged out of ${safeLine(url)}`);
  },
});
