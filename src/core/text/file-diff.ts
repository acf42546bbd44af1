/** What a tool call would do to a file, as a diff of the file as it is now. Pure: the daemon reads the file. */
import type { FileDiff } from "../model/decision-types.ts";
import { unifiedDiff } from "./diff.ts";

export interface FileChange {
  path: string;
  /**
   * The text of the file after the call, or of the part of it that the call is about; or why the call does not fit it.
   * `before` is null if there is no file.
   */
  after(before: string | null): { text: string; in_place_of?: string } | { misfit: string };
  /** What the call itself says it takes out and puts in. */
  parts: readonly { before: string; after: string }[];
}

/** A file at this moment: its text, null if there is none, or why it was not read. */
export type FileNow = { text: string | null } | { unread: string };

/** A longer diff is cut: the record also has the whole input. */
const MOST_CHARACTERS = 64 * 1024;

export function diffOf(change: FileChange, file: FileNow): FileDiff {
  const { path, parts } = change;
  const alone = parts.map(partDiff).filter((it) => it !== "");
  const bare = (unread: string): FileDiff => ({ path, ...cut(alone.join("\n")), is_new: false, unread });
  if ("unread" in file) return bare(file.unread);
  const after = change.after(file.text === null ? null : unix(file.text));
  if ("misfit" in after) return bare(after.misfit);
  const diff = unifiedDiff(unix(after.in_place_of ?? file.text ?? ""), unix(after.text));
  return { path, ...cut(diff), is_new: file.text === null, unread: null };
}

/** A part of a line has no newline at its end, but its line in the file has. */
function partDiff({ before, after }: FileChange["parts"][number]): string {
  const ends = [before, after].every((it) => it !== "" && !it.endsWith("\n")) ? "\n" : "";
  return unifiedDiff(before + ends, after + ends);
}

/** Clients read and write files by lines, and keep the kind of line ends that a file has. */
function unix(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function cut(diff: string): { text: string; cut: number } {
  if (diff.length <= MOST_CHARACTERS) return { text: diff, cut: 0 };
  const end = Math.max(diff.lastIndexOf("\n", MOST_CHARACTERS), 0);
  return { text: diff.slice(0, end), cut: diff.slice(end + 1).split("\n").length };
}
