/** A place outside the memory for texts that are seldom looked at. What is on it is gone with the process: the log has it all. */

/** Where a text lies. Only the shelf that gave it knows what it means. */
export interface Spot {
  readonly file: number;
  readonly at: number;
  readonly bytes: number;
}

export interface Shelf {
  /** Null: it can't be taken now (a full disk); the text must stay where it is. */
  put(text: string): Spot | null;
  get(spot: Spot): string;
  /** Its text is no longer wanted. */
  drop(spot: Spot): void;
  /** Gives everything up at once. */
  close(): void;
}
