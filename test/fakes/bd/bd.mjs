// @ts-check
/**
 * A double of `bd`: the commands that a mirror uses, kept in a JSON file in `.beads`. One at a time: another one holds
 * `.beads/lock`, and like the real one this waits for it silently and without end. BD_DOUBLE: its version.
 */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as model from "./model.mjs";

const [name = "", ...rest] = process.argv.slice(2);
const version = process.env.BD_DOUBLE ?? "1.3.0";
const manner = { overwrites: version === "1.0.5" };
const dir = process.env.BEADS_DIR ?? path.join(process.cwd(), ".beads");
const file = path.join(dir, "double.json");
const lock = path.join(dir, "lock");

const string = /** @type {const} */ ({ type: "string" });
const strings = /** @type {const} */ ({ type: "string", multiple: true });
const { values, positionals } = parseArgs({
  args: rest,
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    silent: { type: "boolean" },
    force: { type: "boolean" },
    all: { type: "boolean" },
    stealth: { type: "boolean" },
    quiet: { type: "boolean" },
    limit: string,
    label: string,
    prefix: string,
    title: string,
    id: string,
    type: string,
    priority: string,
    labels: string,
    "external-ref": string,
    metadata: string,
    "body-file": string,
    "reason-file": string,
    status: string,
    "add-label": strings,
    "remove-label": strings,
    "set-metadata": strings,
  },
});

process.on("SIGTERM", () => {
  process.stderr.write("Error: the database is locked by another dolt process\n");
  process.exit(1);
});

try {
  await main();
} catch (error) {
  if (!(error instanceof model.Failure)) throw error;
  process.stderr.write(`Error: ${error.message}\n`);
  process.exitCode = 1;
}

async function main() {
  if (name === "version") return print({ build: "double", schema_version: 1, version });
  if (name === "init") {
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(file, JSON.stringify(model.emptyStore(values.prefix ?? "bd")));
    return;
  }
  if (!fs.existsSync(file)) throw new model.Failure("no beads database found");
  const stdin =
    values["body-file"] === "-" || values["reason-file"] === "-" ? fs.readFileSync(0, "utf8") : "";
  await takeLock();
  try {
    const store = /** @type {model.Store} */ (JSON.parse(fs.readFileSync(file, "utf8")));
    const before = JSON.stringify(store);
    perform(store, stdin);
    const after = JSON.stringify(store);
    if (after === before) return;
    fs.writeFileSync(`${file}.new`, after);
    fs.renameSync(`${file}.new`, file); // whole or nothing, whenever it is killed
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** @param {model.Store} store @param {string} stdin */
function perform(store, stdin) {
  const [id = "", other = ""] = positionals;
  if (name === "config") return print({ key: "issue_prefix", value: store.prefix });
  if (name === "show") return print([shown(model.found(store, id))]);
  if (name === "ready") return print(model.ready(store).map(shown));
  if (name === "list") return print(listed(store).map(shown));
  if (name === "close") return model.close(store, id, stdin, manner);
  if (name === "reopen") return model.reopen(store, id);
  if (name === "dep") return model.link(store, other, positionals[2] ?? "", values.type ?? "blocks");
  if (name === "create") {
    const given = {
      title: values.title ?? id,
      description: stdin,
      priority: Number(values.priority ?? 2),
      issue_type: values.type ?? "task",
      labels: (values.labels ?? "").split(",").filter((it) => it !== ""),
      external_ref: values["external-ref"] ?? "",
      metadata: JSON.parse(values.metadata ?? "{}"),
      ...(values.id === undefined ? {} : { id: values.id }),
    };
    const made = model.create(store, given, manner);
    process.stdout.write(`${made.id}\n`);
    return;
  }
  if (name !== "update") throw new model.Failure(`unknown command "${name}"`);
  const metadata = Object.fromEntries(
    (values["set-metadata"] ?? []).map((it) => [it.slice(0, it.indexOf("=")), it.slice(it.indexOf("=") + 1)]),
  );
  const change = { add: values["add-label"] ?? [], remove: values["remove-label"] ?? [], metadata };
  model.update(store, id, values.status === undefined ? change : { ...change, status: values.status });
}

/** @param {model.Store} store */
function listed(store) {
  const isWanted = (/** @type {model.Issue} */ it) =>
    (values.all || it.status !== "closed") && (!values.label || it.labels.includes(values.label));
  return Object.values(store.issues)
    .filter(isWanted)
    .slice(0, values.limit === "0" ? undefined : 50);
}

/** @param {model.Issue} issue */
function shown({ dependencies, ...rest }) {
  return { ...rest, dependencies: dependencies.map(({ type, id }) => ({ id, dependency_type: type })) };
}

/** @param {unknown} value */
function print(value) {
  fs.writeSync(1, `${JSON.stringify(value)}\n`);
}

/** Whoever died with the lock no longer holds it. */
async function takeLock() {
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch {
      const holder = Number(readLock());
      if (holder > 0 && !isAlive(holder)) fs.rmSync(lock, { force: true });
      await pause(10);
    }
  }
}

function readLock() {
  try {
    return fs.readFileSync(lock, "utf8");
  } catch {
    return "";
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
