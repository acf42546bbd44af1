/** Makes the tables where there are none, and brings older ones up to date. Never touches a database of others. */
import { Refusal } from "../../core/model/errors.ts";
import type { Connection } from "./connection.ts";
import { newer } from "./errors.ts";
import { wholeNumber } from "./rows.ts";
import { MIGRATIONS, SCHEMA } from "./schema.ts";

/** So that two daemons that start at once don't both make the tables. */
const LOCK = "SELECT pg_advisory_xact_lock(7015, 1)";
const LIMIT_MS = 10_000;
/** Reads the catalogue: `to_regclass` would remember that there was none, even after the wait for the lock. */
const HAS_META = `
  SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'meta') AS has`;

export async function migrate(connection: Connection, shown: string, version: string): Promise<void> {
  if ((await schemaIn(connection, shown)) === SCHEMA) return;
  await connection.ask(["BEGIN", LOCK], LIMIT_MS);
  try {
    const from = await schemaIn(connection, shown); // somebody may have been faster
    if (from === 0) await refuseOthers(connection, shown);
    if (from < SCHEMA) {
      const steps = MIGRATIONS.slice(from);
      const done = { text: "UPDATE meta SET schema = $1, version = $2", values: [SCHEMA, version] };
      await connection.ask([...steps, done], LIMIT_MS).catch((error) => {
        throw from > 0 && (error as { code?: unknown }).code === NOT_ALLOWED ? mayNot(shown, from) : error;
      });
    }
    await connection.ask(["COMMIT"], LIMIT_MS);
  } catch (error) {
    await connection.ask(["ROLLBACK"], LIMIT_MS).catch(() => connection.destroy());
    throw error;
  }
}

const NOT_ALLOWED = "42501";

function mayNot(shown: string, schema: number): Refusal {
  const message = `PostgreSQL at ${shown} has the tables of an older oj (schema ${schema}), and this role may not bring them up to date.`;
  return new Refusal("store.read-only", message, "oj store init ADMIN_URL --role NAME");
}

/** The version of its tables, 0 if it has none; refused if they are too new to read, or not ours. */
async function schemaIn(connection: Connection, shown: string): Promise<number> {
  const [found] = await connection.ask([HAS_META], LIMIT_MS);
  if (found?.rows[0]?.has !== true) return 0;
  const [meta] = await connection.ask(["SELECT * FROM meta"], LIMIT_MS);
  const { schema, min_reader } = meta?.rows[0] ?? {};
  const [is, least] = [wholeNumber(schema), wholeNumber(min_reader)];
  if (is === null || least === null) throw notOurs(shown);
  if (least > SCHEMA)
    throw newer(shown, `was written by a newer oj (schema ${is}); this one has schema ${SCHEMA}`);
  return Math.min(is, SCHEMA);
}

/** Only in the lock: otherwise the tables that it finds may be ours, made a moment ago. */
async function refuseOthers(connection: Connection, shown: string): Promise<void> {
  const text = `
    SELECT count(*) AS tables, has_schema_privilege('public', 'CREATE') AS may, current_user AS role
    FROM pg_tables WHERE schemaname = 'public'`;
  const [answer] = await connection.ask([text], LIMIT_MS);
  const { tables, may, role } = answer?.rows[0] ?? {};
  if (wholeNumber(tables) !== 0) throw notOurs(shown);
  if (may === true) return;
  const message = `PostgreSQL at ${shown} has no store yet, and its role ${String(role)} may not make one.`;
  throw new Refusal("store.failed", message, `GRANT CREATE ON SCHEMA public TO ${String(role)}`);
}

function notOurs(shown: string): Refusal {
  const message = `The database PostgreSQL has at ${shown} belongs to something else: it has other tables.`;
  return new Refusal("store.failed", message, "createdb oddjobs");
}
