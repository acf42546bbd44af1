/** The protocol of tmux's control mode: bytes in, replies and notices out. Knows nothing of processes. */
import { StringDecoder } from "node:string_decoder";

export interface Reply {
  lines: string[];
  failed: boolean;
}

export interface Listener {
  /** A reply to a command of ours, in the order in which they were sent. */
  reply(reply: Reply): void;
  /** A line that tells of something, such as `%sessions-changed`. */
  notice(line: string): void;
  /** Anything else it says: why it could not start, what was wrong in a hook. */
  remark(line: string): void;
  /**
   * What a terminal shows may look like the end of a reply, and may be made to. So the reply that begins now ends
   * where the next one begins with this line, which nobody else can know; null when its lines can be trusted.
   */
  fence(): string | null;
}

interface Block {
  /** Time, number and flags, as they are repeated at the end. */
  id: string;
  own: boolean;
  fence: string | null;
  lines: string[];
}

export function protocol(listener: Listener): (bytes: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let block: Block | null = null;

  function line(text: string): void {
    if (block === null) return outside(text);
    if (block.fence !== null && text !== block.fence) block.lines.push(text);
    else if (block.fence !== null) unfence(block, text);
    else if (text === `%end ${block.id}` || text === `%error ${block.id}`)
      end(block, text.startsWith("%error"));
    else block.lines.push(text);
  }

  function outside(text: string): void {
    const [, id, flags] = /^%begin (\d+ \d+ (\d+))$/.exec(text) ?? [];
    if (id !== undefined) {
      const own = flags === "1"; // else it is what a hook or the start printed
      block = { id, own, fence: own ? listener.fence() : null, lines: [] };
    } else if (text.startsWith("%")) listener.notice(text);
    else if (text !== "") listener.remark(text);
  }

  function end({ own, lines }: Block, failed: boolean): void {
    block = null;
    if (own) listener.reply({ lines, failed });
  }

  /** The last line that ends the block is the true one: nothing that a terminal shows comes after it. */
  function unfence(fenced: Block, text: string): void {
    const at = fenced.lines.findLastIndex((it) => it === `%end ${fenced.id}` || it === `%error ${fenced.id}`);
    const after = fenced.lines.splice(at);
    end(fenced, after[0]?.startsWith("%error") ?? true);
    for (const it of after.slice(1)) line(it);
    line(text);
  }

  return (bytes) => {
    const parts = (rest + decoder.write(bytes)).split("\n");
    rest = parts.pop() ?? "";
    for (const it of parts) line(it);
  };
}
