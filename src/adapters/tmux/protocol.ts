/** The protocol of tmux's control mode: bytes in, replies and notices out. Knows nothing of processes. */
import { StringDecoder } from "node:string_decoder";

/**
 * Every request to tmux ends with a command that prints a line which nobody else knows. So the end of the reply is certain: a terminal
 * can't fake it, and it does not matter how many blocks a command produces.
 */
export interface Question {
  fence: string;
  /** One command whose output an agent wrote, as opposed to commands whose output tmux wrote. */
  foreign: boolean;
}

/** What one command printed. */
export interface Block {
  lines: string[];
  failed: boolean;
}

export interface Listener {
  /** What the reply that begins now answers; replies come in the order of the requests. */
  question(): Question | undefined;
  reply(blocks: Block[]): void;
  /** A line that reports something, such as `%sessions-changed`. */
  notice(line: string): void;
  /** Anything else it says: why it could not start, what was wrong with a hook. */
  remark(line: string): void;
}

export function protocol(listener: Listener): (bytes: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let question: Question | undefined;
  let heard: string[] = [];
  /** The block that nobody listens to, until it ends. */
  let closing: string | null = null;

  function line(text: string): void {
    if (closing !== null) closing = isEndOf(text, closing) ? null : closing;
    else if (question === undefined) outside(text);
    else if (text !== question.fence) heard.push(text);
    else answer(question);
  }

  /** Whatever does not belong to one of our commands was printed by hooks or at startup. */
  function outside(text: string): void {
    const block = beginOf(text);
    if (block?.own) question = listener.question();
    if (question) heard.push(text);
    else if (block)
      closing = block.id; // it may fail, as a hook does whose window is gone by then
    else if (text.startsWith("%")) listener.notice(text);
    else if (text !== "") listener.remark(text);
  }

  function answer({ foreign }: Question): void {
    const lines = heard;
    heard = [];
    question = undefined;
    closing = beginOf(lines.pop() ?? "")?.id ?? null;
    const blocks: Block[] = [];
    for (let at = 0; at < lines.length; at++) {
      const id = beginOf(lines[at] ?? "")?.id;
      if (id === undefined) {
        outside(lines[at] ?? "");
        continue;
      }
      const ends = (it: string, index: number) => index > at && isEndOf(it, id);
      const end = foreign ? lines.findLastIndex(ends) : lines.findIndex(ends);
      blocks.push({ lines: lines.slice(at + 1, end), failed: lines[end] !== `%end ${id}` });
      at = end < 0 ? lines.length : end;
    }
    listener.reply(blocks);
  }

  return (bytes) => {
    const parts = (rest + decoder.write(bytes)).split("\n");
    rest = parts.pop() ?? "";
    for (const it of parts) line(it);
  };
}

function isEndOf(line: string, id: string): boolean {
  return line === `%end ${id}` || line === `%error ${id}`;
}

/** The time, number and flags at the beginning and end of a block; ours have the flag 1. */
function beginOf(line: string): { id: string; own: boolean } | null {
  const [, id, flags] = /^%begin (\d+ \d+ (\d+))$/.exec(line) ?? [];
  return id === undefined ? null : { id, own: flags === "1" };
}
