/** How bash reads commands, so far as it decides what stands around a hole. Words are shell-words.ts's, quotes shell-lexer.ts's. */
import { markBuiltins } from "./shell-builtins.ts";
import { takeDelimiter, takeNewline } from "./shell-heredoc.ts";
import { takeDoubleParens } from "./shell-lexer.ts";
import type { Lexed, Scan } from "./shell-scan.ts";
import { goDeeper, markHoles, markUse, startScan, takeMatch, unclear } from "./shell-scan.ts";
import type { Word } from "./shell-words.ts";
import { isAssignment, takeBlanks, takeComment, takeGaps, takeRegex, takeWord } from "./shell-words.ts";

/** Reads a whole script and finds what stands around each hole. */
export function lexScript(text: string): Lexed {
  const scan = startScan(text, takeCommands);
  takeCommands(scan, "");
  for (const { name, holes } of scan.assigned) {
    const need = scan.uses.get(name);
    if (need) markHoles(holes, need === "integer" ? "operand" : need);
  }
  return scan;
}

/** What may come next: anything, with reserved words; assignments and a command; or only arguments. */
type Position = "start" | "command" | "arguments";

/** Takes commands with their end: of the text, ")", or for "arm" whatever ends an arm of `case` (`esac` itself is left). */
function takeCommands(scan: Scan, end: "" | ")" | "arm"): void {
  goDeeper(scan);
  let position: Position = "start";
  let words: Word[] = [];
  const endCommand = () => {
    markBuiltins(scan, words);
    words = [];
    position = "start";
  };
  for (;;) {
    takeBlanks(scan);
    const char = scan.text[scan.at];
    if (char === undefined) {
      if (end !== "") throw unclear(scan, `a ${end === "arm" ? "case" : "("} without its end`);
      break;
    }
    if (char === ")" && end === ")") {
      scan.at++;
      break;
    }
    if (end === "arm" && takeMatch(scan, /;;&?|;&/y)) break;
    if (char === ")" || scan.text.startsWith(";;", scan.at)) throw unclear(scan, `a stray "${char}"`);

    if (char === "\n") {
      takeNewline(scan);
      endCommand();
    } else if (char === "#") {
      takeComment(scan);
    } else if (takeRedirection(scan)) {
      if (position === "start") position = "command";
    } else if (/[;&|]/.test(char)) {
      scan.at++;
      endCommand();
    } else if (char === "(") {
      if (words.length === 1 && takeMatch(scan, /\([ \t]*\)/y)) words = [];
      else if (position === "start") takeSubshell(scan);
      else throw unclear(scan, 'a "(" where bash knows none');
      position = "start";
    } else {
      const word = takeWord(scan, position === "arguments" ? "argument" : "command");
      if (isDescriptor(scan, word)) continue;
      if (position === "start" && end === "arm" && word.text === "esac") {
        scan.at = word.start;
        break;
      }
      if (position === "start" && takeReserved(scan, word.text) === "commands") continue;
      words.push(word);
      position = position !== "arguments" && isAssignment(word.text) ? "command" : "arguments";
    }
  }
  endCommand();
  scan.depth--;
}

/** Takes what belongs to a reserved word, and says what follows. After most a command begins; after other words, arguments. */
function takeReserved(scan: Scan, word: string): "commands" | "arguments" {
  switch (word) {
    case "case":
      takeCase(scan);
      return "commands";
    case "[[":
      takeCondition(scan);
      return "commands";
    case "for":
    case "select":
      return takeFor(scan) ? "arguments" : "commands";
    case "function":
      takeBlanks(scan);
      takeWord(scan, "single");
      takeMatch(scan, /[ \t]*\([ \t]*\)/y);
      return "commands";
    case "time":
      takeMatch(scan, /[ \t]+-p(?=[ \t])/y);
      return "commands";
    case "coproc":
      takeMatch(scan, /[ \t]+[A-Za-z_]\w*(?=[ \t]+(?:[({]|\[\[|(?:if|while|until|for|case|select)[ \t]))/y);
      return "commands";
    default:
      return /^(?:if|then|elif|else|fi|while|until|do|done|\{|\}|!)$/.test(word) ? "commands" : "arguments";
  }
}

function takeSubshell(scan: Scan): void {
  if (scan.text[scan.at + 1] === "(" && takeDoubleParens(scan)) return;
  scan.at++;
  takeCommands(scan, ")");
}

/** True where a list of words follows. */
function takeFor(scan: Scan): boolean {
  takeBlanks(scan);
  if (scan.text.startsWith("((", scan.at)) {
    if (!takeDoubleParens(scan)) throw unclear(scan, "a for whose (( has no ))");
    return false;
  }
  takeWord(scan, "single");
  takeGaps(scan);
  return takeMatch(scan, /in(?=[ \t\n;]|$)/y) !== null;
}

function takeCase(scan: Scan): void {
  takeGaps(scan);
  takeWord(scan, "single");
  takeGaps(scan);
  if (!takeMatch(scan, /in(?=[ \t\n])/y)) throw unclear(scan, "a case without its in");
  for (;;) {
    takeGaps(scan);
    if (takeMatch(scan, /esac(?![^ \t\n;&|<>()])/y)) return;
    takeMatch(scan, /\(/y);
    do {
      takeBlanks(scan);
      takeWord(scan, "single");
      takeBlanks(scan);
    } while (takeMatch(scan, /\|/y));
    if (!takeMatch(scan, /\)/y)) throw unclear(scan, 'a case pattern without its ")"');
    takeCommands(scan, "arm");
  }
}

/** `[[ … ]]`. Both sides of `-eq` and its like are evaluated as arithmetic; what follows `-v` may be `name[subscript]`. */
function takeCondition(scan: Scan): void {
  const compares = /^-(?:eq|ne|lt|le|gt|ge)$/;
  let before: Word | null = null;
  for (;;) {
    takeGaps(scan);
    const isRegex = before?.text === "=~";
    if (!isRegex && takeMatch(scan, /&&|\|\||[()]|[<>](?!\()/y)) {
      before = null;
      continue;
    }
    const word: Word = isRegex ? takeRegex(scan) : takeWord(scan, "single");
    if (word.text === "]]") return;
    if (before && compares.test(before.text)) markOperand(scan, word);
    if (before && compares.test(word.text)) markOperand(scan, before);
    if (before && /^-[vR]$/.test(before.text)) markHoles(word.holes, "name");
    before = word;
  }
}

function markOperand(scan: Scan, { text, holes }: Word): void {
  markHoles(holes, "integer");
  const name = /^"?(?:\$\{?)?([A-Za-z_]\w*)\}?"?$/.exec(text)?.[1];
  if (name !== undefined) markUse(scan, name, "integer");
}

function takeRedirection(scan: Scan): boolean {
  const operator = takeMatch(scan, /&>>?|<<<|<<-?|<>|[<>]&|>>|>\||[<>](?!\()/y)?.[0];
  if (operator === undefined) return false;
  takeBlanks(scan);
  if (operator === "<<" || operator === "<<-") takeDelimiter(scan, operator === "<<-");
  else takeWord(scan, "single");
  return true;
}

/** The `2` of `2>file`, or `{fd}`. */
function isDescriptor(scan: Scan, { text }: Word): boolean {
  return /^(?:\d+|\{[A-Za-z_]\w*\})$/.test(text) && /[<>]/.test(scan.text[scan.at] ?? "");
}
