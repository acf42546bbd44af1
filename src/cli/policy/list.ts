/** `oj policy list`: the policies here, and whether they count. */
import path from "node:path";
import type { PolicyView } from "../../api/api.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "policy list",
  summary: "See the policies here, and whether they count",
  args: "",
  flags: {},
  examples: [
    { run: "oj policy list", does: "those of the project's runbooks, and your own" },
    { run: "oj policy list -o json", does: "the same with hashes, for scripts" },
  ],

  async run({ client, config, json, out }, given) {
    if (given.length > 0) throw usage("oj policy list takes no arguments", "oj policy show NAME");
    const { cwd, project } = config;
    const { policies } = await client.policies({ cwd, project });
    if (json)
      return out.json(
        policies.map(({ name, kind, state, hash, file }) => ({ name, kind, state, hash, file })),
      );
    if (policies.length === 0) {
      out.print("there are no policies here");
      return;
    }
    const width = Math.max(...policies.map((it) => it.name.length));
    for (const it of policies)
      out.print(
        `${it.state.padEnd(8)} ${it.kind.padEnd(7)} ${safeLine(it.name).padEnd(width)}  ${out.style.dim(placeOf(it, cwd))}`,
      );
    if (policies.some((it) => it.state === "new" || it.state === "changed"))
      out.say(`  ${out.style.cyan("→")} oj policy accept`);
  },
});

export function placeOf({ file, line }: Pick<PolicyView, "file" | "line">, cwd: string): string {
  if (line === 0) return safeLine(`only for ${file}`);
  const relative = path.relative(cwd, file);
  return safeLine(`${relative.startsWith("..") ? file : relative}:${line}`);
}
