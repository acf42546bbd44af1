/** Beads through the person's own `bd`, 1.0.5 or newer. Its exit code is trusted, its words are only reported. */
import fs from "node:fs/promises";
import path from "node:path";
import type { Bead, Beads, BeadsPlace } from "../../beads-port.ts";
import { BeadsTrouble } from "../../beads-port.ts";
import { OLDEST_BD } from "../../core/mirror/bead.ts";
import { compareVersions } from "../../core/text/semver.ts";
import type { Ran } from "./run.ts";
import { runBd } from "./run.ts";

const WITHIN_MS = 30_000;
/** The first command of a new version migrates the database. */
const FIRST_WITHIN_MS = 60_000;
const MOST_METADATA = 200;

interface Input {
  env: Readonly<Record<string, string>>;
  withinMs?: number;
  firstWithinMs?: number;
}

export function bdBeads({ env, withinMs = WITHIN_MS, firstWithinMs = FIRST_WITHIN_MS }: Input): Beads {
  /** The places where a command has worked. */
  const known = new Set<string>();

  async function run(at: BeadsPlace, args: readonly string[], stdin?: string): Promise<Ran> {
    if (!(await isInstalled(env.PATH ?? ""))) throw new BeadsTrouble("absent", "bd is not on the PATH");
    const limit = known.has(at.dir) ? withinMs : firstWithinMs;
    const given = stdin === undefined ? {} : { stdin };
    return runBd({ args, ...given, withinMs: limit, dir: at.dir, abort: at.abort, env });
  }

  async function call(at: BeadsPlace, args: readonly string[], stdin?: string): Promise<string> {
    const ran = await run(at, args, stdin);
    if (ran.code !== 0) throw troubleOf(args, ran);
    known.add(at.dir);
    return ran.stdout;
  }

  return {
    async version(at) {
      const ran = await run(at, ["version", "--json"]);
      const version = ran.code === 0 ? versionIn(ran.stdout) : null;
      if (version === null) throw troubleOf(["version"], ran);
      const order = compareVersions(version, OLDEST_BD);
      if (order === null || order < 0)
        throw new BeadsTrouble("old", `bd is ${version}; the mirror needs ${OLDEST_BD} or newer`);
      return version;
    },
    async prefix(at) {
      const found = parsed(await call(at, ["config", "get", "issue_prefix", "--json"]));
      const value = isObject(found) ? found.value : undefined;
      if (typeof value !== "string" || !/^[A-Za-z0-9_][\w.-]*$/.test(value))
        throw new BeadsTrouble("failing", "bd names no prefix for its ids");
      return value.replace(/-$/, "");
    },
    async show(at, id) {
      const args = ["show", id, "--json"];
      const ran = await run(at, args);
      if (ran.code !== 0) {
        if (/not found|no issue found/i.test(`${ran.stderr}\n${ran.stdout}`)) return null;
        throw troubleOf(args, ran);
      }
      known.add(at.dir);
      return beadIn(ran.stdout, id);
    },
    async create(at, bead) {
      await call(
        at,
        [
          "create",
          `--title=${bead.title}`,
          `--id=${bead.id}`,
          "--type=decision",
          `--priority=${bead.priority}`,
          `--labels=${bead.labels.join(",")}`,
          `--external-ref=${bead.external_ref}`,
          `--metadata=${JSON.stringify(bead.metadata)}`,
          "--body-file=-",
          "--silent",
        ],
        bead.body,
      );
    },
    close: async (at, id, reason) => {
      await call(at, ["close", id, "--force", "--reason-file=-"], reason);
    },
    reopen: async (at, id) => {
      await call(at, ["reopen", id]);
    },
    update: async (at, id, { add, remove, metadata, status }) => {
      await call(at, [
        "update",
        id,
        ...add.map((it) => `--add-label=${it}`),
        ...remove.map((it) => `--remove-label=${it}`),
        ...Object.entries(metadata).map(([key, value]) => `--set-metadata=${key}=${value}`),
        ...(status === undefined ? [] : [`--status=${status}`]),
      ]);
    },
    link: async (at, id, type, other) => {
      await call(at, ["dep", "add", id, other, `--type=${type}`]);
    },
  };
}

/** Whether the PATH has it. Asked each time: it is cheap, and a person may be installing it. */
async function isInstalled(searchPath: string): Promise<boolean> {
  for (const folder of searchPath.split(path.delimiter)) {
    const isHere = await fs.access(path.join(folder || ".", "bd"), fs.constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isHere) return true;
  }
  return false;
}

function troubleOf([name]: readonly string[], { code, stdout, stderr }: Ran): BeadsTrouble {
  const said = `${stderr}\n${stdout}`;
  if (/locked by another|maintenance operation is running/i.test(said))
    return new BeadsTrouble("locked", "the database of bd is locked by another program");
  if (/no beads database found|historical SQLite workspace/i.test(said))
    return new BeadsTrouble("no-database", firstError(said));
  const words = firstError(said) || `exit code ${code}`;
  const isRefusal = /^(dep|create|update|close|reopen)$/.test(name ?? "") && code === 1;
  const isGeneral = /permission denied|no space left|read-only file system|database disk/i.test(said);
  return new BeadsTrouble(isRefusal && !isGeneral ? "refused" : "failing", `bd ${name}: ${words}`);
}

/** The first line that names an error, else the first line. */
function firstError(said: string): string {
  const lines = said.split("\n").map((it) => it.trim());
  const found = lines.find((it) => /^"?error"?:/i.test(it)) ?? lines.find((it) => it.length > 2) ?? "";
  return found.slice(0, 300);
}

function versionIn(text: string): string | null {
  const found = parsed(text);
  const version = isObject(found) ? found.version : undefined;
  return typeof version === "string" ? version : null;
}

/** `show` takes a part of an id for the id: only the very bead counts. */
function beadIn(text: string, id: string): Bead | null {
  const found = parsed(text);
  const bare = isObject(found) && "data" in found ? found.data : found;
  const all = Array.isArray(bare) ? bare : [bare];
  const bead = all.find((it) => isObject(it) && it.id === id) as Record<string, unknown> | undefined;
  if (!bead) return null;
  const { status, labels, close_reason, metadata, dependencies } = bead;
  return {
    id,
    status: typeof status === "string" ? status : "",
    labels: Array.isArray(labels) ? labels.filter((it) => typeof it === "string") : [],
    reason: typeof close_reason === "string" ? close_reason : "",
    metadata: isObject(metadata) ? Object.fromEntries(Object.entries(metadata).slice(0, MOST_METADATA)) : {},
    links: Array.isArray(dependencies) ? dependencies.flatMap(linkIn) : [],
  };
}

function linkIn(found: unknown): { type: string; id: string }[] {
  if (!isObject(found)) return [];
  const type = found.dependency_type ?? found.type;
  const id = found.depends_on_id ?? found.id;
  return typeof type === "string" && typeof id === "string" ? [{ type, id }] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BeadsTrouble("failing", "bd printed something that is not JSON");
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
