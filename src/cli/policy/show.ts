/** `oj policy show`: one policy as it is written, and whether it counts. */
import { Refusal } from "../../core/model/errors.ts";
import { safe } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { placeOf } from "./list.ts";

export const command = defineCommand({
  name: "policy show",
  summary: "See one policy as it is written",
  args: "NAME",
  flags: {},
  examples: [{ run: 'oj policy show "look around"', does: "its text, where it stands, whether it counts" }],

  async run({ client, config, json, out }, [name, ...more]) {
    if (name === undefined || more.length > 0) throw usage("oj policy show takes one NAME", "oj policy list");
    const { cwd, project } = config;
    const { policies } = await client.policies({ cwd, project });
    const found = policies.find((it) => it.name === name);
    if (!found) throw new Refusal("request.not-found", `there is no policy "${name}" here`, "oj policy list");
    if (json) return out.json(found);
    out.print(`${found.state}, ${placeOf(found, cwd)}, ${found.hash.slice(0, 12)}`);
    out.print("");
    out.print(safe(found.text));
  },
});
