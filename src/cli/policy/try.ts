/** `oj policy try`: what policies would have answered, and where people answered otherwise. Nothing is changed. */
import fs from "node:fs";
import path from "node:path";
import { Refusal } from "../../core/model/errors.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "policy try",
  summary: "Try policies on what you have answered",
  args: "[FILE]",
  flags: { suggested: { type: "boolean", help: "those that oj policy suggest proposes" } },
  examples: [
    { run: "oj policy try", does: "the policies here, accepted or not; exit 1 if they disagree with you" },
    { run: "oj policy try new.hcl", does: "those of a file that is not in the project yet" },
    { run: "oj policy try --suggested", does: "those that your answers suggest" },
  ],

  async run({ client, config, json, out }, [file, ...more], { suggested }) {
    if (more.length > 0 || (file !== undefined && suggested))
      throw usage("oj policy try takes one FILE, or --suggested", "oj policy suggest");
    const { cwd, project } = config;
    const text = file === undefined ? undefined : read(path.resolve(cwd, file));
    const tried = await client.tryPolicies({ cwd, project, text, suggested });
    const { answered, of, agreed, disagreed, saved_per_hour } = tried;
    if (json) out.json(tried);
    else {
      const { style } = out;
      out.print(`would have answered ${answered} of ${of}, agreed ${agreed}, disagreed ${disagreed.length}`);
      for (const { id, policy, would, was } of disagreed)
        out.print(
          `${style.yellow("✗")} ${id}: "${safeLine(policy)}" would ${safeLine(would)}, a person chose ${safeLine(was)}`,
        );
      out.print(`${saved_per_hour} interruptions saved an hour`);
    }
    return disagreed.length > 0 ? 1 : 0;
  },
});

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new Refusal(
      "request.not-found",
      `can't read ${file}: ${(error as Error).message}`,
      "oj policy try",
    );
  }
}
