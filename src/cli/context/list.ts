/** `oj context list`: the servers that commands can go to. */
import { table } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { LOCAL, readContexts } from "../servers/contexts.ts";

export const command = defineCommand({
  name: "context list",
  local: true,
  summary: "List the machines that commands can go to",
  args: "",
  flags: {},
  examples: [{ run: "oj context list", does: "* is where they go now" }],

  async run({ config, json, out }) {
    const { current, contexts } = readContexts(config);
    const shown = contexts.map(({ name, url, token }) => ({
      name,
      url,
      current: name === current,
      token: token !== null,
    }));
    if (json) return out.json(shown.map(({ token, ...it }) => ({ ...it, logged_in: token })));
    const rows = shown.map((it) => [
      it.current ? "*" : "",
      safeLine(it.name),
      safeLine(it.url) + (it.token ? "" : " (logged out)"),
    ]);
    const here = [current === null ? "*" : "", LOCAL, "this machine"];
    for (const line of table([["", "NAME", "ADDRESS"], here, ...rows])) out.print(line);
  },
});
