/** A place outside memory for texts that are rarely read. It does not outlive the process: the log has everything. */

/** Where a text is. Only the shelf that returned it knows what it means, and changes it if the text moves. */
export interface Spot {
  readonly file: number;
  readonly at: number;
  readonly bytes: number;
}

export interface Shelf {
  /** Null if the shelf can't take it now (a full disk); the text must stay where it is. */
  put(text: string): Spot | null;
  get(spot: Spot): string;
  /** The text is no longer needed. */
  drop(spot: Spot): void;
  /** Drops everything at once. */
  close(): void;
}
