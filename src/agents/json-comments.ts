/** Comments and trailing commas, which people write into JSON though JSON has none. */

interface Comment {
  start: number;
  end: number;
}

export function commentsIn(text: string): Comment[] {
  return scan(text).comments;
}

/** The same text, as long, with blanks for comments and for commas that nothing follows. */
export function plainJson(text: string): string {
  const { comments, commas } = scan(text);
  if (comments.length === 0 && commas.length === 0) return text;
  const letters = text.split("");
  for (const { start, end } of comments)
    for (let at = start; at < end; at++) if (!/[\r\n]/.test(letters[at] ?? "")) letters[at] = " ";
  const blanked = letters.join("");
  for (const at of commas) if (/^\s*[}\]]/.test(blanked.slice(at + 1))) letters[at] = " ";
  return letters.join("");
}

const STRING = /"(?:[^"\\]|\\.)*"?/sy;
const COMMENT = /\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)/sy;

function scan(text: string): { comments: Comment[]; commas: number[] } {
  const comments: Comment[] = [];
  const commas: number[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOf(STRING, text, at);
    const note = end === null ? endOf(COMMENT, text, at) : null;
    if (note !== null) comments.push({ start: at, end: note });
    if (text[at] === ",") commas.push(at);
    at = end ?? note ?? at + 1;
  }
  return { comments, commas };
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
