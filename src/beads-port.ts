/** What the daemon needs of an issue tracker that keeps beads. The adapter is `adapters/beads/`. */

/**
 * Beads, issues that are kept beside a repository by the person's own `bd`. One call at a time for each folder. What
 * goes wrong is a `BeadsTrouble`; whether the call was carried out is unknown then.
 */
export interface Beads {
  /** The version of the program; refuses one that is too old. */
  version(at: BeadsPlace): Promise<string>;
  /** What ids of new beads begin with. */
  prefix(at: BeadsPlace): Promise<string>;
  /** Null if there is no bead with exactly this id. */
  show(at: BeadsPlace, id: string): Promise<Bead | null>;
  /** The caller has made sure that there is none with this id: some versions would overwrite it. */
  create(at: BeadsPlace, bead: CreateBead): Promise<void>;
  close(at: BeadsPlace, id: string, reason: string): Promise<void>;
  reopen(at: BeadsPlace, id: string): Promise<void>;
  update(at: BeadsPlace, id: string, change: BeadChange): Promise<void>;
  /** The first waits for, belongs to, or gave way to the second. */
  link(at: BeadsPlace, id: string, type: BeadLink, other: string): Promise<void>;
}

export interface BeadsPlace {
  /** The folder `.beads`. */
  dir: string;
  abort: AbortSignal;
}

export type BeadLink = "blocks" | "parent-child" | "supersedes";

export interface Bead {
  id: string;
  status: string;
  labels: readonly string[];
  reason: string;
  metadata: Readonly<Record<string, unknown>>;
  /** What it waits for, belongs to, or gave way to. */
  links: readonly { type: string; id: string }[];
}

export interface CreateBead {
  id: string;
  title: string;
  body: string;
  priority: number;
  labels: readonly string[];
  external_ref: string;
  metadata: Readonly<Record<string, string>>;
}

export interface BeadChange {
  add: readonly string[];
  remove: readonly string[];
  metadata: Readonly<Record<string, string>>;
  status?: "blocked";
}

/** Why beads can't be used. Only "refused" is about one bead; everything else is about the program or the place. */
export type BeadsTroubleKind = "absent" | "old" | "no-database" | "locked" | "failing" | "refused";

export class BeadsTrouble extends Error {
  readonly kind: BeadsTroubleKind;
  constructor(kind: BeadsTroubleKind, message: string) {
    super(message);
    this.name = "BeadsTrouble";
    this.kind = kind;
  }
}
