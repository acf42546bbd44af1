/** What granting and revoking a role have in common: their arguments. */
import type { RoleBody } from "../../api/api.ts";
import type { Role } from "../../core/roles/people.ts";
import { ROLES } from "../../core/roles/people.ts";
import { suggest } from "../../core/text/suggest.ts";
import { usage } from "../base/fail.ts";

/** `--project` is a flag that every command knows; only if it was given does it narrow a role. */
export function roleInput([name = "", role = ""]: readonly string[], flags: object): RoleBody {
  const { project } = flags as { project?: string };
  if (!isRole(role)) {
    const near = suggest(role, ROLES);
    throw usage(
      `"${role}" is not a role: ${ROLES.join(", ")}`,
      near === null ? "oj role grant NAME ROLE" : `did you mean ${near}?`,
    );
  }
  return { name, role, project: project ?? null };
}

export function roleWords({ role, project }: RoleBody): string {
  return project === null ? role : `${role} in ${project}`;
}

function isRole(text: string): text is Role {
  return ROLES.some((it) => it === text);
}
