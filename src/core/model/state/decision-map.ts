/**
 * All decisions, in the order in which they were asked. Those that still matter are objects; settled ones go on a
 * shelf, if there is one, and only their gist stays in memory. Readers don't see the difference.
 */
import type { Decision } from "../decision-types.ts";
import type { Changing } from "../fixed.ts";
import type { Gist } from "../gist.ts";
import { gistOf } from "../gist.ts";
import type { DecisionId } from "../ids.ts";
import { currentRecipient } from "../queue-types.ts";
import type { Shelf, Spot } from "../shelf.ts";
import type { Decisions } from "./state-types.ts";
import { Table } from "./table.ts";

/** A settled decision whose text is on the shelf. */
class Shelved {
  readonly gist: Gist;
  readonly spot: Spot;
  constructor(gist: Gist, spot: Spot) {
    this.gist = gist;
    this.spot = spot;
  }
}

/** A decision as an object, as the text from a snapshot, or on the shelf. */
type Kept = Decision | string | Shelved;

export class DecisionMap extends Table<DecisionId, Decision> implements Decisions {
  private shelf: Shelf | null = null;
  /** Decisions that may go on the shelf, least recently changed first. */
  private readonly whole = new Set<DecisionId>();
  private readonly names = new Map<string, string>();
  /** Built when `ownedBy` is first called. */
  private owners: Map<string, Set<DecisionId>> | null = null;

  /** From now on, settled decisions may go on this shelf. */
  use(shelf: Shelf): void {
    this.shelf = shelf;
  }

  /** Drops what is on the shelf; for a state that nobody reads any more. */
  close(): void {
    this.shelf?.close();
    this.clear();
  }

  /** Adds a decision as its JSON text. */
  park(id: DecisionId, text: string): void {
    this.keep(id, text);
    this.whole.add(id);
  }

  override get(id: DecisionId): Decision | undefined {
    const kept = this.kept(id);
    if (typeof kept !== "string") return kept instanceof Shelved ? this.read(kept.spot) : kept;
    const decision = decisionIn(kept);
    this.keep(id, decision);
    return decision;
  }

  /** Reads a decision without keeping it, so that a walk through a long history doesn't fill the memory. */
  peek(id: DecisionId): Decision | undefined {
    const kept = this.kept(id);
    return typeof kept === "string" ? decisionIn(kept) : this.get(id);
  }

  override open(id: DecisionId): Changing<Decision> | undefined {
    const decision = super.open(id);
    if (decision) this.set(id, decision); // an object again, if it was on the shelf
    return decision;
  }

  override set(id: DecisionId, decision: Decision): this {
    this.dropText(id);
    this.whole.delete(id);
    this.whole.add(id);
    if (this.owners) add(this.owners, decision);
    return super.set(id, decision);
  }

  override delete(id: DecisionId): boolean {
    if (this.owners) remove(this.owners, this.gist(id));
    this.dropText(id);
    this.whole.delete(id);
    return super.delete(id);
  }

  override clear(): void {
    this.owners = null;
    this.whole.clear();
    super.clear();
  }

  gist(id: DecisionId): Gist | undefined {
    const kept = this.kept(id);
    if (kept instanceof Shelved) return kept.gist;
    const decision = this.peek(id);
    return decision && gistOf(decision);
  }

  *gists(): Generator<Gist> {
    // not by key: to look each up takes twice as long as the walk, and lists and figures walk through all
    for (const [id, kept] of super.entries() as MapIterator<[DecisionId, Kept]>)
      yield kept instanceof Shelved ? kept.gist : (this.gist(id) as Gist);
  }

  /** The decisions that this job or crew owns. */
  ownedBy(owner: string): ReadonlySet<DecisionId> {
    if (this.owners === null) {
      this.owners = new Map();
      for (const gist of this.gists()) add(this.owners, gist);
    }
    return this.owners.get(owner) ?? NONE;
  }

  /** The JSON text of a decision; one that nobody has read is returned as it came in. */
  text(id: DecisionId): string {
    const kept = this.kept(id);
    if (kept instanceof Shelved) return this.shelf?.get(kept.spot) ?? "";
    return typeof kept === "string" ? kept : JSON.stringify(kept);
  }

  /**
   * Puts settled decisions on the shelf, least recently changed first, until `keep` decisions are left, and at most
   * `most` per call. Returns false when there is nothing more to do.
   */
  shelve({ keep, most }: { keep: number; most: number }): boolean {
    let left = most;
    for (const id of this.whole) {
      if (this.shelf === null || this.whole.size <= keep) return false;
      if (left-- === 0) return true;
      if (!this.putAway(id, this.shelf)) return false;
      this.whole.delete(id);
    }
    return false;
  }

  /** False if the shelf can't take it now. A pending decision stays as it is and gets here again once it is settled. */
  private putAway(id: DecisionId, shelf: Shelf): boolean {
    const decision = this.get(id); // parses the text from a snapshot, so that the snapshot itself can be freed
    if (!decision || decision.state === "pending") return true;
    const spot = shelf.put(this.text(id));
    if (spot === null) return false;
    this.keep(id, new Shelved(this.shared(gistOf(decision)), spot));
    return true;
  }

  /** A few names occur in thousands of gists; each is kept once. */
  private shared(gist: Gist): Gist {
    gist.project = this.name(gist.project);
    gist.requested_by = gist.requested_by === null ? null : this.name(gist.requested_by);
    gist.by = gist.by === null ? null : this.name(gist.by);
    gist.recipient = gist.recipient === null ? null : (this.name(gist.recipient) as Gist["recipient"]);
    if (gist.told.length > 0)
      gist.told = gist.told.map((it) => ({ ...it, people: it.people.map((name) => this.name(name)) }));
    gist.owner = { ...gist.owner, id: this.name(gist.owner.id) };
    return gist;
  }

  private name(name: string): string {
    const found = this.names.get(name);
    if (found !== undefined) return found;
    if (this.names.size >= MOST_NAMES) this.names.clear();
    this.names.set(name, name);
    return name;
  }

  private read(spot: Spot): Decision | undefined {
    return this.shelf === null ? undefined : decisionIn(this.shelf.get(spot));
  }

  private dropText(id: DecisionId): void {
    const kept = this.kept(id);
    if (kept instanceof Shelved) this.shelf?.drop(kept.spot);
  }

  private kept(id: DecisionId): Kept | undefined {
    return super.get(id) as Kept | undefined;
  }

  private keep(id: DecisionId, kept: Kept): this {
    return this.put(id, kept as Decision);
  }

  override *values(): MapIterator<Decision> {
    for (const id of this.keys()) yield this.peek(id) as Decision;
  }

  override *entries(): MapIterator<[DecisionId, Decision]> {
    for (const id of this.keys()) yield [id, this.peek(id) as Decision];
  }

  override [Symbol.iterator](): MapIterator<[DecisionId, Decision]> {
    return this.entries();
  }

  override forEach(call: (value: Decision, key: DecisionId, map: Map<DecisionId, Decision>) => void): void {
    for (const [id, decision] of this.entries()) call(decision, id, this);
  }
}

/** A snapshot from an older version may have the recipient's old name. */
function decisionIn(text: string): Decision {
  const decision = JSON.parse(text) as Changing<Decision>;
  if (decision.recipient) decision.recipient = currentRecipient(decision.recipient, decision.project);
  return decision;
}

const MOST_NAMES = 1000;
const NONE: ReadonlySet<DecisionId> = new Set();

/** A requester's decisions are left out: they are deleted one by one, and nobody asks for all of them. */
function add(owners: Map<string, Set<DecisionId>>, { id, owner }: Pick<Gist, "id" | "owner">): void {
  if (owner.kind === "requester") return;
  const owned = owners.get(owner.id);
  if (owned) owned.add(id);
  else owners.set(owner.id, new Set([id]));
}

function remove(owners: Map<string, Set<DecisionId>>, gist: Gist | undefined): void {
  const owned = gist && owners.get(gist.owner.id);
  if (!owned) return;
  owned.delete(gist.id);
  if (owned.size === 0) owners.delete(gist.owner.id);
}
