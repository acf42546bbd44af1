/** `oj store`: a whole store is copied, kept, restored and checked, without a daemon. */
import type { InitInput } from "../adapters/postgres/init.ts";
import * as postgres from "../adapters/postgres/init.ts";
import { postgresStore } from "../adapters/postgres/whole.ts";
import { sqliteStore } from "../adapters/sqlite/whole.ts";
import { crewHasEnded } from "../core/model/agent-types.ts";
import { Refusal } from "../core/model/errors.ts";
import type { MachineName } from "../core/model/ids.ts";
import { homeOf } from "../core/model/state/home.ts";
import type { State } from "../core/model/state/state.ts";
import { encodeState } from "../core/model/state/state-text.ts";
import type { Whole, WholeStore } from "../store-ports.ts";
import { version } from "../version.ts";
import { readBackup, writeBackup } from "./backup.ts";
import { knownIn } from "./known.ts";
import { stateOf } from "./state-of.ts";

export type { WholeStore } from "../store-ports.ts";
export type { Audited } from "./audit.ts";
export { checkpointOf, verifyAudit } from "./audit.ts";
export { exportAudit } from "./export.ts";

/**
 * Where a store is: an address of PostgreSQL with its password, and the folder of the machine that has seen it; or a
 * state folder.
 */
export type StorePlace = { url: string; password: string | null; folder: string | null } | { folder: string };

export interface Copied {
  from: string;
  to: string;
  events: number;
  tip: number;
}

export function storeAt(place: StorePlace): Promise<WholeStore> | WholeStore {
  if (!("url" in place)) return sqliteStore(place.folder, version);
  const { url, password, folder } = place;
  return postgresStore({ url, password, version, known: folder === null ? null : knownIn(folder) });
}

export function initStore(input: Omit<InitInput, "version">): Promise<string> {
  return postgres.initStore({ ...input, version });
}

export async function copyStore(from: WholeStore, to: WholeStore): Promise<Copied> {
  return from.read({ alone: true }, async (whole) => {
    const state = await stateOf(whole);
    if (to.kind === "sqlite") refuseSeveral(state);
    await to.fill(whole, (written) => same(encodeState(state), written, to.shown));
    return { from: from.shown, to: to.shown, events: whole.tip - whole.base, tip: whole.tip };
  });
}

export async function backUp(store: WholeStore, file: string) {
  return store.read({ alone: false }, async (whole) => ({
    file,
    events: whole.tip - whole.base,
    tip: whole.tip,
    bytes: await writeBackup(file, whole, version),
  }));
}

export async function restore(store: WholeStore, file: string): Promise<Copied> {
  const whole = await readBackup(file);
  const state = encodeState(await readState(file, whole));
  await store.fill(whole, (written) => same(state, written, store.shown));
  return { from: file, to: store.shown, events: whole.tip - whole.base, tip: whole.tip };
}

/** It may be a backup of anything: what can't be folded is no log of ours. */
async function readState(file: string, whole: Whole): Promise<State> {
  try {
    return await stateOf(whole);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const what = (error as Error).message;
    throw new Refusal("backup.damaged", `The backup ${file} can't be used: ${what}.`, "use another backup");
  }
}

async function same(state: string, written: Whole, shown: string): Promise<void> {
  if (encodeState(await stateOf(written)) === state) return;
  throw new Refusal("store.failed", `What was written to ${shown} is not what was read; it was taken back.`);
}

/** In a folder everything is at home: one daemon would take up what runs on several machines. */
function refuseSeveral(state: State): void {
  const homes = new Set<MachineName | null>();
  for (const id of state.active) homes.add(homeOf(state, id));
  for (const it of state.crews.values()) if (!crewHasEnded(it)) homes.add(homeOf(state, it.id));
  if (homes.size <= 1) return;
  const message = `Jobs are still running on ${[...homes].join(", ")}; a state folder has room for one machine's.`;
  throw new Refusal("store.in-use", message, "end them, or: oj machine forget NAME");
}
