/**
 * How bash reads commands, as far as that decides what surrounds a hole.
 * Words are in core/script/words.ts, quotes in core/script/lexer.ts.
 */
import type { Command } from "./call.ts";
import { startCommand } from "./call.ts";
import { outputOf, readCommand } from "./command.ts";
import { ALIAS, DESCRIPTOR, NAME } from "./faults.ts";
import type { Seen, Word } from "./flow.ts";
import { addFlow, carry, emptyFlow, forbid, INPUT, joinFlows, needs } from "./flow.ts";
import { takeDelimiter, takeNewline } from "./heredoc.ts";
import type { Hole } from "./hole.ts";
import { takeDoubleParens } from "./lexer.ts";
import type { Lexed, Scan } from "./scan.ts";
import { argumentsOf, goDeeper, markHoles, noteCompound, startScan, takeMatch, unclear } from "./scan.ts";
import { flowOf, setVariable } from "./variables.ts";
import { isAssignment, isReserved, takeBlanks, takeComment, takeGaps, takeRegex, takeWord } from "./words.ts";

export interface Read extends Lexed {
  /** What is known about the variables that come from outside, each treated as a hole. */
  outside: Map<string, Hole>;
}

/**
 * Reads a whole script and finds what surrounds each hole. `outside`
 * names variables that hold values when the script starts.
 */
export function lexScript(text: string, outside: readonly string[] = [], seen: Seen | null = null): Read {
  const scan = startScan(text, takeCommands);
  scan.flows.seen = seen;
  const holes = new Map(
    outside.map((name) => [
      name,
      { type: "hole", start: -1, end: -1, place: "outside", needs: new Set() } satisfies Hole as Hole,
    ]),
  );
  for (const [name, hole] of holes) carry(scan.flows, name, { holes: new Set([hole]), names: new Set() });
  takeCommands(scan, "");
  const { flows } = scan;
  for (let at = 0; at < flows.later.length; at++) flows.later[at]?.();
  if (flows.isTwisted || /\bexpand_aliases\b/.test(text))
    for (const hole of [...holes.values(), ...allHoles(scan)]) hole.fault ??= ALIAS;
  return { text, edits: scan.edits, outside: holes };
}

function allHoles({ edits }: Lexed): Hole[] {
  return edits.flatMap((it) => (it.type === "hole" ? [it] : it.type === "nested" ? allHoles(it.script) : []));
}

/** What may come next: anything, including reserved words; assignments and a command; or only arguments. */
type Position = "start" | "command" | "arguments";

/**
 * Takes commands including their end: the end of the text, ")", or
 * for "arm" whatever ends an arm of `case` (`esac` itself is left).
 */
function takeCommands(scan: Scan, end: "" | ")" | "arm"): void {
  goDeeper(scan);
  const list = startList(scan);
  let position: Position = "start";
  const endCommand = (separator: string) => {
    list.end(separator);
    position = "start";
  };
  for (;;) {
    takeBlanks(scan);
    const char = scan.text[scan.at];
    const { command } = list;
    if (char === undefined) {
      if (end !== "") throw unclear(scan, `a ${end === "arm" ? "case" : "("} that is not closed`);
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
      endCommand("\n");
    } else if (char === "#") {
      takeComment(scan);
    } else if (takeRedirection(scan, command)) {
      if (position === "start") position = "command";
    } else if (/[;&|]/.test(char)) {
      endCommand(takeMatch(scan, /&&|\|\||\|&|[;&|]/y)?.[0] ?? "");
    } else if (char === "(") {
      const [name] = command.words;
      if (command.words.length === 1 && name && takeMatch(scan, /\([ \t]*\)/y)) {
        command.words = [];
        list.define(name);
      } else if (position === "start") list.within(() => takeSubshell(scan));
      else throw unclear(scan, 'a "(" where bash does not allow one');
      position = "start";
    } else {
      const word = takeWord(scan, position === "arguments" ? "argument" : "command");
      if (isDescriptor(scan, word)) continue;
      if (position === "start" && end === "arm" && word.text === "esac") {
        scan.at = word.start;
        break;
      }
      if (position === "start" && takeReserved(scan, word.text, list) === "commands") continue;
      command.words.push(word);
      position = position !== "arguments" && isAssignment(word.text) ? "command" : "arguments";
    }
  }
  endCommand("");
  list.close();
  scan.depth--;
}

/** The commands of one list, with the pipes, blocks and functions in it. */
interface List {
  command: Command;
  end(separator: string): void;
  define(name: Word): void;
  /** Takes a compound command that is read as a whole; it may be the body of the function just defined. */
  within(take: () => void): void;
  open(word: string): void;
  shut(): void;
  close(): void;
}

function startList(scan: Scan): List {
  const { flows, level: outer, body: before } = scan;
  const level = { output: emptyFlow(), all: emptyFlow() };
  scan.level = level;
  const blocks: { body: Scan["body"] }[] = [];
  let pending: string | null = null;
  let wasClosed = false;
  let separatorBefore = ";";
  let pipe = emptyFlow();
  const isSure = (separator: string) =>
    scan.depth === 1 && blocks.length === 0 && /^[;\n]?$/.test(separator) && /^[;\n]$/.test(separatorBefore);
  const startBody = () => {
    const { body } = scan;
    if (pending !== null) scan.body = { name: pending, isMoved: false };
    pending = null;
    return body;
  };
  const list: List = {
    command: startCommand(),
    end(separator) {
      const { command } = list;
      const { words } = command;
      if (words.length === 0 && command.input.holes.size + command.input.names.size === 0 && !wasClosed) {
        if (command.redirections.length > 0) {
          flows.seen?.commands.push({ ...command, isInner: false }); // `> file` alone
          list.command = startCommand();
        }
        if (separator !== "\n") separatorBefore = separator; // a newline after | or && changes nothing
        return;
      }
      addFlow(command.input, pipe);
      command.isPlain = isSure(separator);
      command.isPiped = /^\|&?$/.test(separatorBefore);
      const output = readCommand(scan, command);
      if (wasClosed) addFlow(output, level.all);
      addFlow(level.all, output);
      if (scan.body) carry(flows, outputOf(scan.body.name), output);
      pipe = emptyFlow();
      if (/^\|&?$/.test(separator)) {
        pipe = output;
        carry(flows, INPUT, output);
      } else addFlow(level.output, output);
      list.command = startCommand();
      wasClosed = false;
      separatorBefore = separator;
    },
    define(name) {
      noteCompound(scan);
      pending = name.literal ?? name.text;
      flows.functions.add(pending);
    },
    within(take) {
      noteCompound(scan);
      const body = startBody();
      take();
      scan.body = body;
      scan.level = level;
      wasClosed = true;
    },
    open(word) {
      blocks.push({ body: startBody() });
      const isLoop = /^(?:while|until|for|select)$/.test(word);
      if (isLoop && scan.body && /\bshift\b/.test(scan.text)) scan.body.isMoved = true;
      separatorBefore = "{";
    },
    shut() {
      const block = blocks.pop();
      if (block) scan.body = block.body;
      wasClosed = true;
    },
    close() {
      scan.body = before;
      scan.level = outer;
      addFlow(outer.all, level.all);
      addFlow(outer.output, level.output);
    },
  };
  return list;
}

/**
 * Takes what belongs to a reserved word, and says what follows:
 * commands after most reserved words, arguments after any other word.
 */
function takeReserved(scan: Scan, word: string, list: List): "commands" | "arguments" {
  if (isReserved(word)) noteCompound(scan);
  switch (word) {
    case "case":
      list.within(() => takeCase(scan));
      return "commands";
    case "[[":
      list.within(() => takeCondition(scan));
      return "commands";
    case "for":
    case "select":
      list.open(word);
      return takeFor(scan, list.command) ? "arguments" : "commands";
    case "function":
      takeBlanks(scan);
      list.define(takeWord(scan, "single"));
      takeMatch(scan, /[ \t]*\([ \t]*\)/y);
      return "commands";
    case "time":
      takeMatch(scan, /[ \t]+-p(?=[ \t])/y);
      return "commands";
    case "coproc":
      takeMatch(scan, /[ \t]+[A-Za-z_]\w*(?=[ \t]+(?:[({]|\[\[|(?:if|while|until|for|case|select)[ \t]))/y);
      return "commands";
    case "if":
    case "while":
    case "until":
    case "{":
      list.open(word);
      return "commands";
    case "fi":
    case "done":
    case "}":
      list.shut();
      return "commands";
    default:
      return /^(?:then|elif|else|do|!)$/.test(word) ? "commands" : "arguments";
  }
}

function takeSubshell(scan: Scan): void {
  if (scan.text[scan.at + 1] === "(" && takeDoubleParens(scan)) return;
  scan.at++;
  takeCommands(scan, ")");
}

/** True if a list of words follows. */
function takeFor(scan: Scan, command: Command): boolean {
  takeBlanks(scan);
  if (scan.text.startsWith("((", scan.at)) {
    if (!takeDoubleParens(scan)) throw unclear(scan, "a for whose (( has no ))");
    return false;
  }
  const { literal, text } = takeWord(scan, "single");
  const name = literal ?? text;
  takeGaps(scan);
  setVariable(scan, "REPLY", flowOf(INPUT), null);
  if (takeMatch(scan, /in(?=[ \t\n;]|$)/y)) {
    command.loop = name;
    return true;
  }
  setVariable(scan, name, flowOf(argumentsOf(scan.body), argumentsOf(null)), null);
  return false;
}

function takeCase(scan: Scan): void {
  takeGaps(scan);
  takeWord(scan, "single");
  takeGaps(scan);
  if (!takeMatch(scan, /in(?=[ \t\n])/y)) throw unclear(scan, 'a case without "in"');
  for (;;) {
    takeGaps(scan);
    if (takeMatch(scan, /esac(?![^ \t\n;&|<>()])/y)) return;
    takeMatch(scan, /\(/y);
    do {
      takeBlanks(scan);
      takeWord(scan, "single");
      takeBlanks(scan);
    } while (takeMatch(scan, /\|/y));
    if (!takeMatch(scan, /\)/y)) throw unclear(scan, 'a case pattern without ")"');
    takeCommands(scan, "arm");
  }
}

/**
 * `[[ … ]]`. Both sides of `-eq` and the like are evaluated as arithmetic; what follows `-v` may be `name[subscript]`.
 */
function takeCondition(scan: Scan): void {
  const compares = /^-(?:eq|ne|lt|le|gt|ge)$/;
  let before: Word | null = null;
  const matched = emptyFlow();
  for (;;) {
    takeGaps(scan);
    const isRegex = before?.text === "=~";
    if (!isRegex && takeMatch(scan, /&&|\|\||[()]|[<>](?!\()/y)) {
      before = null;
      continue;
    }
    const word: Word = isRegex ? takeRegex(scan) : takeWord(scan, "single");
    if (word.text === "]]") break;
    if (before && compares.test(before.text)) markOperand(scan, word);
    if (before && compares.test(word.text)) markOperand(scan, before);
    if (before && /^-[vR]$/.test(before.text)) forbid(scan.flows, word.flow, NAME);
    addFlow(matched, word.flow);
    before = word;
  }
  carry(scan.flows, "BASH_REMATCH", matched);
}

function markOperand(scan: Scan, { text, holes, flow }: Word): void {
  markHoles(holes, "integer");
  const names = [...text.matchAll(/[A-Za-z_]\w*/g)].map(([it]) => it);
  needs(scan.flows, joinFlows([flow, flowOf(...names)]), "operand");
}

function takeRedirection(scan: Scan, command: Command): boolean {
  const operator = takeMatch(scan, /&>>?|<<<|<<-?|<>|[<>]&|>>|>\||[<>](?!\()/y)?.[0];
  if (operator === undefined) return false;
  takeBlanks(scan);
  scan.input = command.input;
  scan.bodies = command.bodies;
  scan.documents = command.documents;
  if (operator === "<<" || operator === "<<-") takeDelimiter(scan, operator === "<<-");
  else {
    const word = takeWord(scan, "single");
    command.redirections.push({ operator, word });
    if (/^[<>]&$/.test(operator)) forbid(scan.flows, word.flow, DESCRIPTOR);
    // The content of a file is not tracked; the output of a substitution is.
    if (operator === "<<<" || word.text.startsWith("<(")) addFlow(command.input, word.flow);
  }
  return true;
}

/** The `2` of `2>file`, or `{fd}`. */
function isDescriptor(scan: Scan, { text }: Word): boolean {
  return /^(?:\d+|\{[A-Za-z_]\w*\})$/.test(text) && /[<>]/.test(scan.text[scan.at] ?? "");
}
