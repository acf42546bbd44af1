/** Snapshots of the state in the database: read, checked, made and thinned out here. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Event } from "../../core/model/events.ts";
import type { WholeState } from "../../core/model/state/state.ts";
import { apply, emptyState } from "../../core/model/state/state.ts";
import { decodeState, encodeState, STATE_FORMAT } from "../../core/model/state/state-text.ts";
import type { Opened } from "../../ports.ts";
import type { Connection, Row } from "./connection.ts";
import { damagedAt } from "./errors.ts";
import { atOneMoment } from "./moment.ts";
import type { Pages } from "./pages.ts";
import { wholeNumber } from "./rows.ts";

/** So many are kept: the newest may turn out to be unusable. */
const KEPT = 2;
const LIMIT_MS = 60_000;
const PAGE = 2000;
/** A state that is larger than this was not made by us. */
const MOST_BYTES = 2 ** 30;

type Snapshot = NonNullable<Opened["snapshot"]>;

/** The newest sound one between these events, and a sentence for each newer one that could not be used. */
export async function newestSnapshot(
  connection: Connection,
  from: number,
  to: number,
): Promise<{ snapshot: Snapshot | null; skipped: string[] }> {
  const text = "SELECT seq FROM snapshots ORDER BY seq DESC";
  const [list] = await connection.ask([text], LIMIT_MS);
  const skipped: string[] = [];
  for (const row of list?.rows ?? []) {
    const seq = wholeNumber(row.seq) ?? 0;
    if (seq < from) break;
    const one = { text: "SELECT format, version, sha, body FROM snapshots WHERE seq = $1", values: [seq] };
    const [found] = seq > to ? [] : await connection.ask([one], LIMIT_MS);
    const state =
      seq > to ? { problem: `it is ahead of the log, which ends at ${to}` } : await stateIn(found?.rows[0]);
    if (typeof state === "string") return { snapshot: { seq, state }, skipped };
    skipped.push(`The snapshot of event ${seq} in PostgreSQL was not used: ${state.problem}.`);
  }
  return { snapshot: null, skipped };
}

async function stateIn(row: Row | undefined): Promise<string | { problem: string }> {
  const { format, version, sha, body } = row ?? {};
  if (!Buffer.isBuffer(body) || !Buffer.isBuffer(sha)) return { problem: "it can't be read" };
  if (format !== STATE_FORMAT)
    return { problem: `it has format ${String(format)}, written by oj ${String(version)}` };
  try {
    const text = await promisify(gunzip)(body, { maxOutputLength: MOST_BYTES });
    if (!createHash("sha256").update(text).digest().equals(sha)) return { problem: "its checksum is wrong" };
    return text.toString();
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Folds up to `seq` (or the last event) from where the newest sound snapshot ends. Returns what snapshots now cover. */
export async function foldLog(
  connection: Connection,
  { pages, seq, version, shown }: { pages: Pages; seq: number; version: string; shown: string },
): Promise<number> {
  const made = await atOneMoment(connection, () => foldFrom(connection, { pages, seq, shown }));
  if (typeof made === "number") return made;
  await writeSnapshot(connection, made.seq, encodeState(made), version);
  return made.seq;
}

/** The state, or what snapshots cover already. */
async function foldFrom(
  connection: Connection,
  { pages, seq, shown }: { pages: Pages; seq: number; shown: string },
): Promise<WholeState | number> {
  const [limits] = await connection.ask(["SELECT base, seq FROM meta, head"], LIMIT_MS);
  const [base, tip] = [limits?.rows[0]?.base, limits?.rows[0]?.seq].map((it) => wholeNumber(it) ?? 0);
  const upTo = Math.min(seq, tip ?? 0);
  const { snapshot } = await newestSnapshot(connection, base ?? 0, tip ?? 0);
  const from = snapshot?.seq ?? 0;
  if (from >= upTo) return from;
  if (from < (base ?? 0)) throw damagedAt(shown, from + 1, "it was compacted, and no snapshot has it");
  const state = snapshot === null ? emptyState() : decodeState(snapshot.state);
  while (state.seq < upTo) {
    const limit = Math.min(PAGE, upTo - state.seq);
    const [page] = await connection.ask([pages.query(state.seq, limit)], LIMIT_MS);
    const events: Event[] = pages.checked(page?.rows ?? [], state.seq).map((it) => it.event);
    if (events[0]?.seq !== state.seq + 1) throw damagedAt(shown, state.seq + 1, "it is missing");
    for (const event of events) apply(state, event);
  }
  return state;
}

export async function writeSnapshot(
  connection: Connection,
  seq: number,
  state: string,
  version: string,
): Promise<void> {
  const sha = createHash("sha256").update(state).digest();
  const body = await promisify(gzip)(state, { level: 1 });
  const text =
    "INSERT INTO snapshots (seq, format, version, sha, body) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
  const insert = { text, values: [seq, STATE_FORMAT, version, sha, body] };
  await connection.ask([insert, `SELECT thin_out(${KEPT})`], LIMIT_MS);
}
