/** Makes the tables as an administrator, and the role of the daemons: it adds events and never changes one. */
import { Refusal } from "../../core/model/errors.ts";
import { addressOf } from "./address.ts";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { storeError } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { grants } from "./schema.ts";

const CONNECT_MS = 10_000;
const LIMIT_MS = 30_000;

export interface InitInput {
  url: string;
  role: string;
  /** The role's new password; null: it keeps the one it has. */
  rolePassword: string | null;
  version: string;
}

/** Returns the address without its password. What is there already stays; missing rights are given. */
export async function initStore({ url, role, rolePassword, version }: InitInput): Promise<string> {
  const address = addressOf(url, null);
  const { shown } = address;
  let connection: Connection | null = null;
  try {
    connection = await connect(address, CONNECT_MS);
    await migrate(connection, shown, version);
    const [made] = await connection.ask([{ text: WRITE, values: [role, rolePassword] }], LIMIT_MS);
    const { named, create, alter } = made?.rows[0] ?? {};
    await refuseOwner(connection, role);
    const statements = [create, grants(String(named)), alter].filter((it) => typeof it === "string");
    await connection.ask(["BEGIN", ...statements, "COMMIT"], LIMIT_MS);
    return shown;
  } catch (error) {
    throw storeError(error, shown);
  } finally {
    await connection?.close();
  }
}

/** The server quotes names and passwords itself. */
const WRITE = `
  SELECT quote_ident($1::text) AS named,
    CASE WHEN NOT EXISTS (SELECT FROM pg_roles WHERE rolname = $1::text) THEN format('CREATE ROLE %I LOGIN', $1::text) END AS create,
    CASE WHEN $2::text IS NOT NULL THEN format('ALTER ROLE %I PASSWORD %L', $1::text, $2::text) END AS alter`;

/** A role that can do everything anyway would only look as if it could not. */
async function refuseOwner(connection: Connection, role: string): Promise<void> {
  const text = `
    SELECT FROM pg_roles WHERE rolname = $1 AND (rolsuper
      OR pg_has_role(oid, (SELECT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename = 'events')::name, 'MEMBER'))`;
  const [found] = await connection.ask([{ text, values: [role] }], LIMIT_MS);
  if (found?.rows.length !== 1) return;
  const message = `The role ${role} owns the tables, so nothing could keep it from changing events.`;
  throw new Refusal("usage", message, "--role another_one");
}
