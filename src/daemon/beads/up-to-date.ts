/**
 * Brings one bead up to date with its decision. It looks first and does only what is missing, so that it may be cut off
 * anywhere and repeated. Closing comes before the labels: no gate that counts open beads is misled in between.
 */
import type { Bead, Beads, BeadsPlace } from "../../beads-port.ts";
import { BeadsTrouble } from "../../beads-port.ts";
import type { WantedBead } from "../../core/mirror/bead.ts";
import { STATE_LABEL } from "../../core/mirror/bead.ts";
import type { DecisionId } from "../../core/model/ids.ts";

export interface Tracker {
  beads: Beads;
  at: BeadsPlace;
  /** What the ids of its beads begin with. */
  prefix: string;
}

/** The most beads that are made to wait for one decision. */
const MOST_BLOCKS = 100;

const CLOSED = "closed";

function beadId({ prefix }: Pick<Tracker, "prefix">, id: DecisionId): string {
  return `${prefix}-${id}`;
}

/** Returns the id of the bead. */
export async function bringUpToDate(tracker: Tracker, wanted: WantedBead): Promise<string> {
  const { beads, at } = tracker;
  const id = beadId(tracker, wanted.decision_id);
  const bead = (await beads.show(at, id)) ?? (await created(tracker, id, wanted));
  if (bead === null) return id;
  await link(tracker, bead, wanted);
  if (wanted.reason === null) await openAgain(tracker, bead);
  else await close(tracker, bead, wanted.reason);
  await relabel(tracker, bead, wanted);
  return id;
}

async function created({ beads, at }: Tracker, id: string, wanted: WantedBead): Promise<Bead | null> {
  const { made, labels, decision_id } = wanted;
  if (made === null) return null;
  const metadata = { decision_id, outcome: wanted.state };
  await beads.create(at, { id, ...made, labels, external_ref: decision_id, metadata });
  return { id, status: "open", labels, reason: "", metadata, links: [] };
}

/** What is no bead is left out: whoever asked may have meant something else. */
async function link(tracker: Tracker, bead: Bead, wanted: WantedBead): Promise<void> {
  const { beads, at } = tracker;
  for (const id of wanted.blocks.slice(0, MOST_BLOCKS)) {
    const waits = await beads.show(at, id);
    if (waits && !has(waits, "blocks", bead.id)) await unlessRefused(beads.link(at, id, "blocks", bead.id));
  }
  const { parent, superseded_by } = wanted;
  if (parent !== null && !has(bead, "parent-child", parent) && (await beads.show(at, parent)))
    await unlessRefused(beads.link(at, bead.id, "parent-child", parent));
  const next = superseded_by === null ? null : beadId(tracker, superseded_by);
  if (next !== null && !has(bead, "supersedes", next) && (await beads.show(at, next)))
    await unlessRefused(beads.link(at, bead.id, "supersedes", next));
}

function has({ links }: Bead, type: string, id: string): boolean {
  return links.some((it) => it.type === type && it.id === id);
}

/** It would be a circle, for example: the bead is right without that link. */
async function unlessRefused(linked: Promise<void>): Promise<void> {
  await linked.catch((error: unknown) => {
    if (!(error instanceof BeadsTrouble && error.kind === "refused")) throw error;
  });
}

async function openAgain({ beads, at }: Tracker, { id, status }: Bead): Promise<void> {
  if (status === CLOSED) await beads.reopen(at, id);
}

async function close({ beads, at }: Tracker, { id, status, reason }: Bead, wanted: string): Promise<void> {
  if (status === CLOSED && reason.trim() === wanted.trim()) return;
  if (status === CLOSED) await beads.reopen(at, id); // some versions keep the first reason
  await beads.close(at, id, wanted);
}

/** A pending decision is nobody's work: as `blocked` it is not in `bd ready`, and still holds up what waits for it. */
async function relabel({ beads, at }: Tracker, bead: Bead, wanted: WantedBead): Promise<void> {
  const { labels, metadata, status } = bead;
  const add = wanted.labels.filter((it) => !labels.includes(it));
  const remove = labels.filter((it) => it.startsWith(STATE_LABEL) && !wanted.labels.includes(it));
  const outcome = metadata.outcome === wanted.state ? {} : { outcome: wanted.state };
  const isWork = wanted.reason === null && (status === "open" || status === CLOSED);
  if (add.length + remove.length === 0 && !isWork && !("outcome" in outcome)) return;
  const change = { add, remove, metadata: outcome };
  await beads.update(at, bead.id, isWork ? { ...change, status: "blocked" } : change);
}
