/** Whose queue is meant: a session, or a name. */
import type { RecipientBody } from "../../api/api.ts";
import type { Context, Flags } from "./command.ts";
import { usage } from "./fail.ts";

export const recipientFlags = {
  session: { type: "string", value: "S", help: "the session's id (default: the session this runs in)" },
  as: {
    type: "string",
    value: "NAME",
    help: "whoever asked under this name (oj decision request --as NAME)",
  },
} as const satisfies Flags;

export function recipientOf(
  { config }: Pick<Context, "config">,
  { session, as }: { session?: string; as?: string },
  example: string,
): RecipientBody {
  const { project } = config;
  if (session !== undefined && as !== undefined)
    throw usage("--session and --as name two recipients; give only one", `${example} --session S`);
  if (as?.trim()) return { project, as };
  const id = session?.trim() || config.session;
  if (!id) throw usage("for whom? Give --session S or --as NAME", `${example} --as NAME`);
  return { project, session: id };
}
