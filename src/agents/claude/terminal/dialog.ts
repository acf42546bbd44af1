/** A dialog as it stands on a screen of Claude Code. */

export interface ShownDialog {
  kind: "approval" | "question" | "review" | "plan" | "trust" | "other";
  /** Everything between the top of the dialog and its options. */
  body: string[];
  options: ShownOption[];
  /** The row of a question with several choices that goes on: it has no number. */
  next: { selected: boolean } | null;
  /** Words are being written beside an option: digits would go into them. */
  amending: boolean;
  /** The end of the dialog is below the screen. */
  clipped: boolean;
}

export interface ShownOption {
  /** Null where the dialog has no numbers. */
  number: number | null;
  label: string;
  /** The label with all lines below it: what it was wrapped to, and its description. */
  text: string;
  selected: boolean;
  /** Of a box to tick; null when it has none. */
  ticked: boolean | null;
}
