/**
 * What each terminal printed, kept within a limit. tmux passes every byte to a small shell loop beside it, which writes and replaces the
 * files by itself: so nothing is lost and nothing grows while no daemon runs.
 */
import type { FileHandle } from "node:fs/promises";
import fs from "node:fs/promises";
import path from "node:path";
import type { AgentId } from "../../core/model/ids.ts";
import type { Journal, Terminals } from "../../ports.ts";
import type { Kept } from "../files/kept-output.ts";
import { newestOf, olderOf, openKept } from "../files/kept-output.ts";
import { watchFile } from "../files/watch.ts";

const BLOCK = 8192;
const TELL_EVERY_MS = 50;

export interface TerminalOutput {
  /** Creates the folder; returns the shell text that tmux pipes the output into. */
  writer(agent_id: AgentId): Promise<string>;
  read: Terminals["output"];
  printedAt: Terminals["printedAt"];
  watch(agent_id: AgentId, printed: () => void): () => void;
  /** Returns when the loop has written its last byte, which is soon after its terminal is gone. */
  settled(agent_id: AgentId): Promise<void>;
  purge(agent_id: AgentId): Promise<void>;
}

export function terminalOutput(input: { dir: string; maxBytes: number; journal: Journal }): TerminalOutput {
  const folderOf = (id: AgentId) => path.join(input.dir, id);
  const busyOf = (id: AgentId) => path.join(folderOf(id), "writing");

  function watch(agent_id: AgentId, changed: () => void): () => void {
    const failed = (error: Error) =>
      input.journal.warn("could not watch for new output", { agent_id, error: error.message });
    return watchFile(newestOf(folderOf(agent_id)), { everyMs: TELL_EVERY_MS, changed, failed });
  }

  return {
    watch,
    async printedAt(agent_id) {
      const file = await fs.stat(newestOf(folderOf(agent_id))).catch(() => null);
      return file && Math.round(file.mtimeMs);
    },
    async writer(agent_id) {
      await fs.mkdir(folderOf(agent_id), { recursive: true, mode: 0o700 });
      return loopText(folderOf(agent_id), input.maxBytes);
    },
    async *read(agent_id, { lines, follow, abort }) {
      const folder = folderOf(agent_id);
      if (follow) await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      let wake = () => {};
      let news = false;
      const call = () => {
        news = true;
        wake();
      };
      const stop = follow ? watch(agent_id, call) : () => {};
      abort.addEventListener("abort", call, { once: true });
      let kept: Kept | null = null;
      let tail: Follower | null = null;
      try {
        kept = await openKept(folder);
        tail = follower(folder, kept.newest, kept.size);
        yield* kept.read(lines);
        while (follow && !abort.aborted) {
          news = false;
          const part = await tail.next();
          if (part) yield part;
          else if (!news) await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        stop();
        abort.removeEventListener("abort", call);
        await tail?.close();
        await kept?.close();
      }
    },
    async settled(agent_id) {
      for (let pause = 2; pause < 1000; pause *= 2) {
        if (!(await exists(busyOf(agent_id)))) return;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
    async purge(agent_id) {
      await fs.rm(folderOf(agent_id), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },
  };
}

/**
 * `dd` writes what it reads at once, and takes no byte that it does not write. It stops after a while, so that the
 * size can be looked at; when it got nothing, the terminal is gone. On a full disk it fails: then output is dropped
 * until there is room again. The folder is written as octal, since tmux expands `#` and `%` in this text.
 */
function loopText(folder: string, maxBytes: number): string {
  const octal = [...Buffer.from(folder)].map((it) => `\\${it.toString(8).padStart(3, "0")}`).join("");
  const half = Math.floor(maxBytes / 2);
  const count = Math.max(1, Math.floor(half / 4 / BLOCK));
  return [
    "exec 2>/dev/null; umask 077",
    `cd "$(printf '${octal}')" || exit`,
    "touch writing output.log; before=$(wc -c <output.log)",
    "while test -d .; do",
    `if dd bs=${BLOCK} count=${count} >>output.log; then`,
    'after=$(wc -c <output.log) || break; test "$after" -eq "$before" && break; before=$after',
    `if test "$after" -ge ${half - count * BLOCK}; then mv -f output.log output.older.log; touch output.log; before=0; fi`,
    `else test -e output.log && dd bs=${BLOCK} count=${count} of=/dev/null || break; fi`,
    "done; rm -f writing",
  ].join("\n");
}

interface Follower {
  /** Null: nothing new. */
  next(): Promise<Buffer | null>;
  close(): Promise<void>;
}

/** Continues where `openKept` ended, and moves on to the next file when this one has been replaced. */
function follower(folder: string, first: FileHandle | null, size: number): Follower {
  let file = first;
  let at = size;

  async function more(): Promise<Buffer | null> {
    const buffer = Buffer.alloc(64 * 1024);
    const { bytesRead } = file ? await file.read(buffer, 0, buffer.length, at) : { bytesRead: 0 };
    at += bytesRead;
    return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
  }

  return {
    async next(): Promise<Buffer | null> {
      const replaced = (await inode(newestOf(folder))) !== (await file?.stat())?.ino;
      const part = await more();
      if (part || !replaced) return part;
      // a file is replaced only when it is complete, so all of it has been read
      const missed = file !== null && (await inode(olderOf(folder))) !== (await file.stat()).ino;
      await file?.close();
      file = await fs.open(missed ? olderOf(folder) : newestOf(folder), "r").catch(() => null);
      at = 0;
      return missed
        ? Buffer.from("\n── some output may be missing here: it came faster than it could be read\n")
        : more();
    },
    close: async () => void (await file?.close()),
  };
}

async function inode(file: string): Promise<number | undefined> {
  return (await fs.stat(file).catch(() => null))?.ino;
}

async function exists(file: string): Promise<boolean> {
  return (await inode(file)) !== undefined;
}
