/**
 * Which event was acknowledged last, noted in a second place: a log that ends before it has lost something. Written after the commit and
 * before the answer, so it is never ahead of the log; not synced each time, which would double the cost of a commit (docs/adr/0008). Two
 * alternating slots, each with a checksum: if one is torn or damaged, the other remains.
 */
import path from "node:path";
import { crc32 } from "node:zlib";
import { forgive, renameDurably, syncFile, writeDurably } from "./files.ts";
import type { Place } from "./place.ts";

export interface Tip {
  /** Has reached the system: a killed process can't take it back. */
  write(seq: number): void;
  /** Flushes it to disk if necessary. A power cut can't take that back either. */
  sync(): void;
  isSynced(): boolean;
  close(): void;
}

const SLOT_BYTES = 512; // a sector: what damages one slot spares the other
const TEXT_BYTES = 32;

export function tipFile(place: Pick<Place, "dir">): string {
  return path.join(place.dir, "events.tip");
}

/** A copy of a write-ahead log that somebody left: SQLite drops what it can't read of it, and that may be what was acknowledged. */
export function keptWal(place: Pick<Place, "dir">): string {
  return path.join(place.dir, "events.db-wal.kept");
}

/** Before SQLite sees it. An older copy stays: it is from before the damage was found. */
export function keepWal(place: Place): void {
  const { files } = place;
  const [wal, copy] = [path.join(place.dir, "events.db-wal"), keptWal(place)];
  if (files.exists(copy) || !files.exists(wal) || files.size(wal) === 0) return;
  files.remove(`${copy}.tmp`);
  files.copy(wal, `${copy}.tmp`);
  syncFile(files, `${copy}.tmp`);
  renameDurably(files, `${copy}.tmp`, copy);
}

/** The log is whole: nothing in it is needed. */
export function dropWal({ files, ...place }: Place): void {
  if (files.exists(keptWal(place))) forgive(() => files.remove(keptWal(place)));
}

/** The last event that is known to have been acknowledged; null where nothing says so. */
export function readTip(place: Place): number | null {
  const file = tipFile(place);
  if (!place.files.exists(file)) return null;
  const bytes = place.files.read(file, 2 * SLOT_BYTES);
  const seqs = [0, 1].map((slot) => slotIn(bytes, slot)).filter((it) => it !== null);
  return seqs.length === 0 ? null : Math.max(...seqs);
}

/** The file for a log that ends at `seq`, written from scratch: what it said before is settled. */
export function openTip(place: Place, seq: number): Tip {
  const { files } = place;
  if (readTip(place) !== seq) writeDurably(files, tipFile(place), [fileOf(seq)]);
  let fd: number | null = files.openToWrite(tipFile(place));
  let slot = 0;
  let synced = true;
  return {
    write(next) {
      if (fd === null) return;
      slot = 1 - slot;
      files.writeAt(fd, textOf(next), slot * SLOT_BYTES);
      synced = false;
    },
    sync() {
      if (fd === null || synced) return;
      synced = true; // a failure is not retried over and over; the next write is a new attempt
      forgive(() => fd !== null && files.sync(fd));
    },
    isSynced: () => synced,
    close() {
      this.sync();
      const open = fd;
      fd = null;
      if (open !== null) forgive(() => files.close(open));
    },
  };
}

function fileOf(seq: number): Buffer {
  const bytes = Buffer.alloc(2 * SLOT_BYTES, " ");
  for (const slot of [0, 1]) bytes.set(textOf(seq), slot * SLOT_BYTES);
  return bytes;
}

/** Text, so that a person can read it: the seq and its checksum. */
function textOf(seq: number): Buffer {
  return Buffer.from(`${seq} ${sumOf(String(seq))}`.padEnd(TEXT_BYTES - 1).concat("\n"));
}

function slotIn(bytes: Buffer, slot: number): number | null {
  const text = bytes.toString("latin1", slot * SLOT_BYTES, slot * SLOT_BYTES + TEXT_BYTES);
  const [, seq = "", sum] = /^(\d{1,16}) ([0-9a-f]{8}) +\n$/.exec(text) ?? [];
  return sum === sumOf(seq) && sum !== undefined ? Number(seq) : null;
}

function sumOf(seq: string): string {
  return crc32(`tip ${seq}`).toString(16).padStart(8, "0");
}
