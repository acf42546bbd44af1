/** Whether what stands behind a telling word is a value that somebody keeps secret, or a part of a program or a sentence. */

export interface Setting {
  /** The telling word, as it was written: `password`, `TOKEN`. */
  name: string;
  /** What is between the name and the value: `=`, ` = `, `: `. */
  separator: string;
  value: string;
  /** The character after it; empty at the end of the text. */
  after: string;
  isQuoted: boolean;
}

/** It stands for a value (`user:pass@host` in a manual), or was masked already. */
export function isReference(value: string): boolean {
  return /^(?:[$%{<[#]|[*x.•…_-]+$|process\.env|os\.environ|pass$)/i.test(value);
}

/** `password = …` */
export function isSetting(it: Setting): boolean {
  if (isReference(it.value)) return false;
  if (it.isQuoted) return isLiteral(it);
  if (/[([.=?]/.test(it.after || " ")) return false; // a call, an element, a member, a comparison
  if (it.name === it.name.toUpperCase() && it.separator === "=") return !isName(it.value);
  const isPassword = /^p/i.test(it.name);
  if (isPassword && it.separator === "=" && /[\s&;"']|^$/.test(it.after)) return isWord(it.value);
  const isLast = /[\r\n"'`\\]|^$/.test(it.after);
  return (isPassword && isLast ? hasDigits(it.value) : looksRandom(it.value)) && !isName(it.value);
}

/** `--password …` */
export function isArgument(name: string, value: string, after: string): boolean {
  if (isReference(value) || /^[-=/.]/.test(value) || after === "(") return false;
  if (/^[A-Z_]+$/.test(value)) return false; // --token TOKEN
  if (!/^[a-z-]+$/.test(value)) return true;
  return /^p/i.test(name) && !PROSE.test(value);
}

/** What follows the name of a flag in a sentence. */
const PROSE =
  /^(?:and|as|at|be|but|by|can|does|file|flag|for|from|has|if|in|instead|is|may|must|not|of|on|only|option|or|prompt|should|stdin|string|text|that|the|then|to|twice|value|was|when|which|will|with|without)$/;

/** Letters and digits, as names in sentences and programs seldom have them. */
export function hasDigits(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 6;
}

/** Long, with several digits among its letters: nobody would name anything so. */
export function looksRandom(value: string): boolean {
  return value.length >= 12 && (value.match(/\d/g)?.length ?? 0) >= 2 && /[A-Za-z]/.test(value);
}

/** Long and odd enough to be nothing else. A short value or a word would be taken out of texts that are about other things. */
export function isTelling(value: string): boolean {
  return value.length >= 8 && (hasDigits(value) || value.length >= 16) && !isName(value);
}

function isLiteral({ value, name }: Setting): boolean {
  if (/\s/.test(value))
    return /^p\w{2,3}\w/i.test(name) && /\d/.test(value) && /[^\w\s.,:;'"()-]/.test(value);
  return value.length >= 6 && (/[!@#%^&*+=~]/.test(value) || hasDigits(value)) && !isName(value);
}

/** Words that are no password even where one could stand. */
const PROGRAM =
  /^(?:string|number|boolean|undefined|null|true|false|none|nil|required|optional|function|async|await|new|this|void|any|unknown|object|options?|value|input|text|self|props|params?|args?|config|env|default)$/i;

function isWord(value: string): boolean {
  return value.length >= 5 && !PROGRAM.test(value) && !isName(value);
}

/** A member, a type, an encoding, a placeholder, a path: a name that has digits in it. */
function isName(value: string): boolean {
  return (
    PROGRAM.test(value) ||
    /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/.test(value) ||
    /(?:base64|utf-?8|utf16|sha-?\d{1,3}|hs\d{3}|rs\d{3}|es\d{3}|md5|oauth-?\d|http2|int\d{1,2}|x509|pkcs\d)/i.test(
      value,
    ) ||
    /^(?:\.{0,2}\/|~\/|https?:)/.test(value) ||
    /^\d+(?:\.\d+)*$/.test(value)
  );
}
