/** `oj policy explain`: what each policy says about a decision, past or pending, and why. */
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "policy explain",
  summary: "See what each policy says about a decision, and why",
  args: "ID",
  flags: {},
  completes: "decision",
  examples: [{ run: "oj policy explain 7k3", does: "which policies fit, which don't, and why" }],

  async run({ client, config, json, out }, [id, ...more]) {
    if (id === undefined || more.length > 0)
      throw usage("oj policy explain takes one ID", "oj decision list --all");
    const explained = await client.explainPolicies(id, { cwd: config.cwd });
    if (json) return out.json(explained);
    const { style } = out;
    if (explained.answered_by !== null) out.print(`answered by policy "${safeLine(explained.answered_by)}"`);
    if (explained.findings.length === 0) out.print("no policy that counts says anything about it");
    for (const { name, kind, fits, why, bound } of explained.findings) {
      const sign = fits ? style.green("✓") : style.dim("–");
      const reached = bound === null ? "" : style.yellow(` (${bound}: a person is asked)`);
      out.print(`${sign} ${kind} "${safeLine(name)}": ${safeLine(why)}${reached}`);
    }
  },
});
