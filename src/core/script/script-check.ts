/**
 * Whether bash can read a script at all, checked before anything runs. An adapter asks bash; its answer is read here.
 */

/** What is wrong with a script, and on which of its lines; null if bash named none. */
export interface ScriptProblem {
  line: number | null;
  message: string;
}

/** For each script its problem, or null. */
export type ReadScripts = (scripts: readonly string[]) => Promise<readonly (ScriptProblem | null)[]>;

/** `script: line 3: syntax error near unexpected token `fi'` and more lines → the first, in our words. */
export function bashProblem(said: string): ScriptProblem {
  const [first = ""] = said.split("\n").filter((it) => it.trim() !== "");
  const [, line, message] = /: line (\d+): (.*)$/.exec(first) ?? [];
  const words = (message ?? first).replace(/`([^']*)'/g, '"$1"').trim();
  return {
    line: line === undefined ? null : Number(line),
    message: words === "" ? "it has a syntax error" : words,
  };
}
