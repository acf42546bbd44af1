/** The only place that loads SQLite: the one inside Node from 24 on, before that a package with the same API. */

/** What a statement takes and a row contains. A damaged record may contain any of them. */
export type Cell = string | number | bigint | Uint8Array | null;

export interface Statement {
  run(...values: Cell[]): unknown;
  get(...values: Cell[]): unknown;
  all(...values: Cell[]): unknown[];
  /** Rows as arrays: a third faster to read than objects. */
  setReturnArrays(on: boolean): void;
}

/** Keep a reference as long as a statement lives: the package closes a database that is garbage-collected. */
export interface Database {
  exec(sql: string): void;
  /** The same text returns the same statement: only the end of its thread would free another one. */
  prepare(sql: string): Statement;
  close(): void;
  readonly isTransaction: boolean;
}

export interface Driver {
  open(file: string, input?: { readOnly?: boolean }): Database;
}

interface Module {
  DatabaseSync: new (file: string, input: { readOnly: boolean }) => Database;
}

const builtInSince = 24; // 22 has it too, and prints a warning to stderr

export async function loadDriver(): Promise<Driver> {
  const { DatabaseSync } = await loadModule();
  return {
    open: (file, input) => preparingOnce(new DatabaseSync(file, { readOnly: input?.readOnly ?? false })),
  };
}

function preparingOnce(db: Database): Database {
  const statements = new Map<string, Statement>();
  return {
    exec: (sql) => db.exec(sql),
    prepare(sql) {
      const statement = statements.get(sql) ?? db.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    close: () => db.close(),
    get isTransaction() {
      return db.isTransaction;
    },
  };
}

async function loadModule(): Promise<Module> {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= builtInSince) return process.getBuiltinModule("node:sqlite") as unknown as Module;
  return (await import("@photostructure/sqlite")) as unknown as Module;
}
