/** The files of each job: its output, within a limit, and the environment it was started with. */
import fs from "node:fs/promises";
import path from "node:path";
import type { CrewId, JobId } from "../../core/model/ids.ts";
import type { JobFiles, Journal } from "../../ports.ts";
import { storeError } from "../sqlite/errors.ts";
import { atMost } from "../system/at-most.ts";
import { newestOf, olderOf, openKept } from "./kept-output.ts";

/** Bytes that may wait for a slow reader. */
const MAX_HELD = 4 * 1024 * 1024;

/** Files open for writing at once: after a crash hundreds of jobs have something to write at the same moment. */
const OPEN_FILES = 16;

interface Writer {
  /** Writes happen one after the other. */
  queue: Promise<void>;
  size: number | null;
  followers: Set<(part: Buffer) => void>;
}

export function jobFiles(input: { dir: string; maxBytes: number; journal: Journal }): JobFiles {
  const limited = atMost(OPEN_FILES);
  const writers = new Map<JobId | CrewId, Writer>();
  const folderOf = (id: JobId | CrewId) => path.join(input.dir, id);
  const envOf = (id: JobId | CrewId) => path.join(folderOf(id), "env.json");

  function writerOf(id: JobId | CrewId): Writer {
    let writer = writers.get(id);
    if (!writer) {
      writer = { queue: Promise.resolve(), size: null, followers: new Set() };
      writers.set(id, writer);
    }
    return writer;
  }

  /** Forgets a writer that nobody uses, so that the map does not grow with every job ever run. */
  function tidy(id: JobId | CrewId, writer: Writer, queue: Promise<void>): void {
    if (writer.queue === queue && writer.followers.size === 0 && writers.get(id) === writer)
      writers.delete(id);
  }

  async function append(id: JobId | CrewId, writer: Writer, part: Buffer): Promise<void> {
    try {
      const folder = folderOf(id);
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      writer.size ??= await fs.stat(newestOf(folder)).then(
        (it) => it.size,
        () => 0,
      );
      if (writer.size > 0 && writer.size + part.length > input.maxBytes / 2) {
        await fs.rename(newestOf(folder), olderOf(folder));
        writer.size = 0;
      }
      await fs.appendFile(newestOf(folder), part, { mode: 0o600 });
      writer.size += part.length;
    } catch (error) {
      input.journal.warn("could not keep a job's output", { job_id: id, error: (error as Error).message });
    }
    for (const follower of writer.followers) follower(part);
  }

  return {
    write(job_id, part) {
      const writer = writerOf(job_id);
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      const queue = writer.queue.then(() => limited(() => append(job_id, writer, bytes)));
      writer.queue = queue;
      void queue.then(() => tidy(job_id, writer, queue));
      return queue;
    },
    async *read(job_id, { lines, follow, abort }) {
      const waiting: Buffer[] = [];
      let wake = () => {};
      const writer = writerOf(job_id);
      let held = 0;
      const follower = (part: Buffer) => {
        held += part.length;
        if (held > MAX_HELD) {
          waiting.splice(
            0,
            waiting.length,
            Buffer.from("\n── some output is missing here: it came faster than it could be read\n"),
          );
          held = part.length;
        }
        waiting.push(part);
        wake();
      };
      // Queued with the writes, so that what is read and what is followed meet without a gap or a repetition.
      const sofar = writer.queue.then(async () => {
        const files = await openKept(folderOf(job_id));
        if (follow) writer.followers.add(follower);
        return files;
      });
      writer.queue = sofar.then(() => {});
      const stop = () => wake();
      abort.addEventListener("abort", stop, { once: true });
      try {
        const files = await sofar;
        try {
          yield* files.read(lines);
        } finally {
          await files.close();
        }
        while (follow) {
          const parts = waiting.splice(0);
          held = 0;
          yield* parts;
          if (waiting.length > 0) continue;
          if (abort.aborted) {
            await writer.queue; // what was written before belongs to it
            yield* waiting.splice(0);
            return;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        abort.removeEventListener("abort", stop);
        writer.followers.delete(follower);
        tidy(job_id, writer, writer.queue);
      }
    },
    async saveEnv(job_id, env) {
      try {
        await fs.mkdir(folderOf(job_id), { recursive: true, mode: 0o700 });
        await fs.writeFile(envOf(job_id), JSON.stringify(env), { mode: 0o600 });
      } catch (error) {
        throw storeError(error, input.dir);
      }
    },
    async loadEnv(job_id) {
      const text = await limited(() => fs.readFile(envOf(job_id), "utf8")).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return null;
          throw error; // another environment is no substitute
        },
      );
      return text === null ? null : (JSON.parse(text) as Record<string, string>);
    },
    async *bare(before_ms) {
      for (const name of await fs.readdir(input.dir).catch(() => [])) {
        if (!/^(job|crew)-/.test(name)) continue;
        const id = name as JobId | CrewId;
        const folder = await fs.stat(folderOf(id)).catch(() => null);
        if (!folder || folder.mtimeMs >= before_ms) continue;
        const files = await fs.readdir(folderOf(id)).catch(() => []);
        if (files.every((it) => it === "env.json")) yield id;
      }
    },
    async purge(job_id) {
      await writers.get(job_id)?.queue;
      await fs.rm(folderOf(job_id), { recursive: true, force: true });
    },
  };
}
