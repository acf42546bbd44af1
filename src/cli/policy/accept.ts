/** `oj policy accept`: lets the policies of the project's files count, as the files are now. */
import path from "node:path";
import { safe, safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "policy accept",
  summary: "Let the policies of a file count, as it is now",
  args: "[FILE]",
  flags: {},
  examples: [
    { run: "oj policy accept", does: "all of the project's files; prints what changed since you last did" },
    { run: "oj policy accept .oj/runbooks/policy.hcl", does: "one file" },
  ],

  async run({ client, config, json, out }, [file, ...more]) {
    if (more.length > 0) throw usage("oj policy accept takes one FILE at most", "oj policy accept");
    const { cwd, project } = config;
    const files = file === undefined ? [] : [path.resolve(cwd, file)];
    const accepted = await client.acceptPolicies({ cwd, project, files });
    if (json) return out.json(accepted);
    for (const it of accepted.files) {
      out.print(`${it.is_new ? "accepted" : "already accepted"}: ${safeLine(path.relative(cwd, it.file))}`);
      for (const name of it.dropped) out.print(`no longer irreversible: ${safeLine(name)}`);
      if (it.is_new && it.diff !== "") out.print(safe(it.diff));
    }
    if (accepted.files.length === 0) out.print("there are no policies in the project's runbooks");
  },
});
