/** A dialog as it appears on a screen of Claude Code. */

export interface ShownDialog {
  kind: "approval" | "question" | "review" | "plan" | "trust" | "other";
  /** Everything between the top of the dialog and its options. */
  body: string[];
  options: ShownOption[];
  /** In a question with several choices, the row that leads to the next page. It has no number. */
  next: { selected: boolean } | null;
  /** Words are being written beside an option, so digits would become part of them. */
  amending: boolean;
  /** The end of the dialog is below the screen. */
  clipped: boolean;
}

export interface ShownOption {
  /** Null if the dialog has no numbers. */
  number: number | null;
  label: string;
  /** The label with all lines below it: the rest of a wrapped label, and its description. */
  text: string;
  selected: boolean;
  /** Whether its box is ticked; null if it has none. */
  ticked: boolean | null;
}
