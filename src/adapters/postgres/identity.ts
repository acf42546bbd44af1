/** Who a daemon is to the others, and that nobody else is it: each start claims the next epoch, and only the last one writes. */
import { randomUUID } from "node:crypto";
import { machineForgotten, Refusal } from "../../core/model/errors.ts";
import type { MachineKey } from "../audit/key.ts";
import type { Connection } from "./connection.ts";
import { fenced } from "./errors.ts";
import { wholeNumber } from "./rows.ts";

/** What a state folder knows of its daemon. */
export interface Identity {
  id: string;
  /** The epoch that its last start has claimed; 0 before the first. */
  epoch: number;
  /** A claim that may or may not have been taken: the process ended before it knew. */
  claim: string | null;
  /** The last event that it saw, and its link in hex. The log must still have it at the next start. */
  seen: { seq: number; chain: string } | null;
}

function newIdentity(): Identity {
  return { id: randomUUID(), epoch: 0, claim: null, seen: null };
}

export interface Keeper {
  /** The state folder, for messages. */
  folder: string;
  /** What this machine signs with. Made with the first call; returns once it is on disk. */
  key(): MachineKey;
  /** Null: there is none yet. */
  load(): Promise<Identity | null>;
  /** Returns once it is on disk. */
  save(identity: Identity): Promise<void>;
}

const CLAIM = `
  INSERT INTO daemons AS d (id, folder, epoch, claim, pubkey) VALUES ($1, $2, 1, $4, $5)
  ON CONFLICT (id) DO UPDATE SET epoch = d.epoch + 1, claim = $4, folder = $2, pubkey = $5, last_seen = now(), left_at = NULL
  WHERE d.epoch = $3 OR d.claim = $4
  RETURNING epoch`;

/** Refused if another start, in a copy of the folder, has claimed what comes after ours. */
export async function claim(connection: Connection, keeper: Keeper, limitMs: number): Promise<Identity> {
  const before = checked((await keeper.load()) ?? newIdentity(), keeper.folder);
  const mark = before.claim ?? randomUUID();
  await keeper.save({ ...before, claim: mark }); // if we end now, the next start can tell its own claim from another's
  const gone = { text: "SELECT FROM daemons WHERE id = $1 AND forgotten", values: [before.id] };
  const claiming = {
    text: CLAIM,
    values: [before.id, keeper.folder, before.epoch, mark, keeper.key().public],
  };
  const [known, answer] = await connection.ask([gone, claiming], limitMs);
  if (known?.rows.length === 1) throw machineForgotten();
  const epoch = wholeNumber(answer?.rows[0]?.epoch);
  if (epoch === null) throw fenced(keeper.folder);
  const after = { ...before, epoch, claim: null };
  await keeper.save(after);
  return after;
}

/** Anybody may have written to the file. */
function checked({ id, epoch, claim, seen }: Identity, folder: string): Identity {
  const isOne =
    isUuid(id) &&
    wholeNumber(epoch) === epoch &&
    (claim === null || isUuid(claim)) &&
    (seen === null || (wholeNumber(seen?.seq) === seen?.seq && /^[0-9a-f]{64}$/.test(seen.chain)));
  if (isOne) return { id, epoch, claim, seen };
  const message = `What ${folder} says about this machine's identity can't be used.`;
  throw new Refusal("store.failed", message, "restore machine.json, or use a new state folder");
}

function isUuid(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}
