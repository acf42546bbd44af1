/** `oj store init`: prepares a PostgreSQL database for a team, with a role that can't change what was written. */

import { readSecret } from "../../reach-config/secret.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "store init",
  local: true,
  summary: "Prepare a PostgreSQL database, with a role for the daemons",
  args: "ADMIN_URL",
  flags: {
    role: { type: "string", value: "NAME", help: "the role that daemons use; made if there is none" },
    "password-file": { type: "string", value: "FILE", help: "gives the role the password in this file" },
  },
  examples: [
    {
      run: "oj store init postgres://admin@db/oddjobs --role oj",
      does: "the role adds events and reads them; it can't change or delete one",
    },
  ],

  async run({ config, json, out }, [url = ""], flags) {
    const { role } = flags;
    if (!role) throw usage("--role is missing: which role will the daemons use?", "--role oj");
    const file = flags["password-file"];
    const rolePassword = file === undefined ? null : await readSecret(file, config);
    const { initStore } = await import("../../store/main.ts");
    const at = await initStore({ url, role, rolePassword });
    const address = `postgres://${encodeURIComponent(role)}@${at}`;
    if (json) return out.json({ role, url: address });
    out.print(
      `${out.style.green("✓")} PostgreSQL at ${safeLine(at)} is ready; ${safeLine(role)} adds events and changes none`,
    );
    out.say(`  ${out.style.cyan("→")} store.url = "${safeLine(address)}"`);
  },
});
