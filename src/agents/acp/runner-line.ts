/** A `run` line with our runner (`oj-acp`) before its program, wherever that stands behind variables. Pure. */

const ASSIGNED = String.raw`(?:[A-Za-z_]\w*=(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])*\s+)*`;
const START = new RegExp(String.raw`^(export -n [^;\n]*; )?\s*(?:exec\s+)?(${ASSIGNED})(?:exec\s+)?`);

/** `before` and `after`: more words for the runner and for its program. */
export function behindRunner(script: string, before: string, after: string): string {
  const line = script.trimEnd().replace(START, (_, prologue = "", assigned = "") => {
    return `${prologue}${assigned}oj-acp ${before}`;
  });
  return `${line}${after} --oj`;
}
