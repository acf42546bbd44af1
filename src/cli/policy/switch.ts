/** What `oj policy on` and `oj policy off` share. */
import { safeLine } from "../../text/safe.ts";
import type { Command } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export function switchCommand(on: boolean): Command {
  const word = on ? "on" : "off";
  return defineCommand({
    name: `policy ${word}`,
    summary: on ? "Switch a policy on again" : "Switch a policy off: a person is asked instead",
    args: "NAME",
    flags: {},
    examples: [
      { run: `oj policy ${word} "look around"`, does: on ? "it counts again" : "until you switch it on" },
    ],

    async run({ client, config, json, out }, [name, ...more]) {
      if (name === undefined || more.length > 0)
        throw usage(`oj policy ${word} takes one NAME`, "oj policy list");
      const { cwd, project } = config;
      const found = await client.switchPolicy({ cwd, project, name, on });
      if (json) return out.json(found);
      out.print(`policy "${safeLine(name)}" is ${found[0]?.state ?? word}`);
    },
  });
}
