/** Where the database is: `postgres://user@host:port/name`. What is shown of it never has the password. */
import type { ClientConfig } from "pg";
import pg from "pg";
import { Refusal } from "../../core/model/errors.ts";

export interface Address {
  config: ClientConfig;
  /** `host:port/name`, for messages. */
  shown: string;
}

export function addressOf(url: string, password: string | null): Address {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw refused("it is not a URL");
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) throw refused("it does not begin with postgres://");
  // the driver reads the URL, and knows its parameters (sslmode, host=/run/postgresql)
  const { host, port, database } = new pg.Client({ connectionString: url });
  const config: ClientConfig = { connectionString: url, ...(password === null ? {} : { password }) };
  return { config, shown: `${host}:${port}/${database ?? ""}` };
}

function refused(why: string): Refusal {
  const hint = "postgres://user@host:5432/database";
  return new Refusal("config.invalid", `The address of the PostgreSQL store can't be used: ${why}.`, hint);
}
