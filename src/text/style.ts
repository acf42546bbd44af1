/** Colours and weights that make text stand out on a terminal. */

/** These return the text unchanged if stdout is not a terminal or NO_COLOR is set. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}
