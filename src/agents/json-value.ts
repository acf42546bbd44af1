/** JSON from outside, read with care: what is missing or of another type is empty. */

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The object on a line of a file; null for anything else. */
export function parsed(line: string): Json | null {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null; // cut off: we read from somewhere in the middle, or the file is being written
  }
}
