/**
 * What text may contain wherever it enters: whole characters, and no NUL. A NUL ends a text wherever C reads it
 * (SQLite, argument lists, the environment, terminals), and half a character can't be written as UTF-8. A caller that
 * can be told is refused; a report from an agent client is mended, because the client would not send it again.
 */

const UNSAFE = /[\0\p{Surrogate}]/u;
const ALL_UNSAFE = /[\0\p{Surrogate}]/gu;

/**
 * In the text of a JSON document: an escaped backslash, a whole
 * surrogate pair, or an escape for what text must not contain.
 */
const ESCAPES =
  /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})/g;
const MAY_BE_UNSAFE = /\\u(?:0000|[dD][89a-fA-F])/;
const SINGLE_ESCAPE = 6;

/** What is wrong with a text, or null. */
export function unsafeIn(text: string): string | null {
  const [found] = UNSAFE.exec(text) ?? [];
  if (found === undefined) return null;
  return found === "\0"
    ? "contains a NUL character (U+0000)"
    : "contains half a character (a lone surrogate)";
}

/** The text with U+FFFD in place of what it must not contain. */
export function mendText(text: string): string {
  return UNSAFE.test(text) ? text.replace(ALL_UNSAFE, "\uFFFD") : text;
}

/** The same for the text of a JSON document: its strings are mended at any depth. */
export function mendJson(json: string): string {
  if (!MAY_BE_UNSAFE.test(json)) return json;
  return json.replace(ESCAPES, (it) => (it.length === SINGLE_ESCAPE ? "\\ufffd" : it));
}

/**
 * The first unsafe text in a parsed JSON document, with its
 * path. Keys count too. No recursion: the document may be deep.
 */
export function unsafeWithin(document: unknown): { path: string; what: string } | null {
  const left: [path: string, value: unknown][] = [["", document]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, value] = next;
    if (typeof value === "string") {
      const what = unsafeIn(value);
      if (what !== null) return { path, what };
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value).reverse()) {
        const what = Array.isArray(value) ? null : unsafeIn(key);
        if (what !== null) return { path, what: `has a key that ${what}` };
        left.push([path === "" ? key : `${path}.${key}`, inner]);
      }
    }
  }
  return null;
}

/** Whether the text of a JSON document can contain unsafe text at all: most can't, and need no second look. */
export function mayBeUnsafe(json: string): boolean {
  return MAY_BE_UNSAFE.test(json);
}
