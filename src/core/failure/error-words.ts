/** What an error message says, in words: services report errors as JSON, and clients print that as it came. */

/** The message with any JSON in it replaced by what that says. Text without JSON stays as it is. */
export function errorWords(message: string): string {
  const begin = message.search(/[[{]\s*[{"]/);
  if (begin === -1) return message;
  const { value, rest } = parsed(message.slice(begin));
  const parts = [message.slice(0, begin), value, rest].map((it) => it.trim()).filter((it) => it !== "");
  return parts.join(" ") || message;
}

/** `rate_limited` → `Rate limited`. */
export function kindWords(kind: string): string {
  const words = plain(kind);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Without the kind that clients put at its end: `Rejected (429) · Rate limited`, beside a title that begins with it. */
export function withoutKind(words: string, kind: string): string {
  const end = ` · ${kind}`;
  return words.toLowerCase().endsWith(end.toLowerCase()) ? words.slice(0, -end.length) : words;
}

/** What the JSON at the beginning of the text says, and what follows it. JSON that was cut off is read as far as it goes. */
function parsed(text: string): { value: string; rest: string } {
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  try {
    return { value: saidBy(JSON.parse(text.slice(0, end)), 0), rest: text.slice(end) };
  } catch {
    const field = (name: string) => new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(text)?.[1];
    const types = [...text.matchAll(/"type"\s*:\s*"(\w+)/g)].map((it) => it[1] ?? "");
    return { value: field("message") ?? field("detail") ?? plain(types.at(-1) ?? ""), rest: "" };
  }
}

/** Where services put their words, most telling first. */
const FIELDS = ["error", "message", "error_description", "detail", "details", "reason", "title", "errors"];
const NAMES = ["type", "code", "status"];
const DEEPEST = 5;

function saidBy(value: unknown, depth: number): string {
  if (typeof value === "string") return /^\s*[[{]/.test(value) && depth < DEEPEST ? errorWords(value) : value;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return "";
  if (Array.isArray(value)) return saidBy(value[0], depth + 1);
  const fields = value as Record<string, unknown>;
  for (const name of FIELDS) {
    const said = Object.hasOwn(fields, name) ? saidBy(fields[name], depth + 1) : "";
    if (said !== "") return said;
  }
  const name = NAMES.find((it) => typeof fields[it] === "string" || typeof fields[it] === "number");
  return name === undefined ? "" : plain(String(fields[name]));
}

function plain(name: string): string {
  return name.replaceAll("_", " ").trim();
}
