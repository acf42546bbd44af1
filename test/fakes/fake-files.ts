/** The port `JobFiles` in memory. Passes the contract of job files. */
import type { CrewId, JobId } from "../../src/core/model/ids.ts";
import type { Clock, JobFiles } from "../../src/ports.ts";

type OwnerId = JobId | CrewId;

export interface FakeFiles extends JobFiles {
  /** Everything that was written for that owner. */
  text(owner_id: OwnerId): string;
}

interface Kept {
  output: Buffer;
  env: Readonly<Record<string, string>> | null;
  saved_at_ms: number;
}

export function fakeFiles(clock: Clock): FakeFiles {
  const kept = new Map<OwnerId, Kept>();
  const followers = new Set<(owner_id: OwnerId, part: Buffer) => void>();
  const textOf = (id: OwnerId) => kept.get(id)?.output ?? Buffer.alloc(0);
  const at = (id: OwnerId): Kept => {
    const found = kept.get(id) ?? { output: Buffer.alloc(0), env: null, saved_at_ms: clock.now() };
    kept.set(id, found);
    return found;
  };

  return {
    text: (id) => textOf(id).toString(),
    async write(id, part) {
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      const its = at(id);
      its.output = Buffer.concat([its.output, bytes]);
      for (const follower of followers) follower(id, bytes);
    },
    async *read(id, { lines, follow, abort }) {
      const waiting: Buffer[] = [];
      let wake = () => {};
      const follower = (whose: OwnerId, part: Buffer) => {
        if (whose === id) waiting.push(part);
        wake();
      };
      const stop = () => wake();
      followers.add(follower);
      abort.addEventListener("abort", stop);
      try {
        yield lastLines(textOf(id), lines);
        while (follow) {
          yield* waiting.splice(0);
          if (waiting.length > 0) continue;
          if (abort.aborted) return;
          await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        followers.delete(follower);
        abort.removeEventListener("abort", stop);
      }
    },
    async saveEnv(id, env) {
      Object.assign(at(id), { env: { ...env }, saved_at_ms: clock.now() });
    },
    async loadEnv(id) {
      const env = kept.get(id)?.env ?? null;
      return env && { ...env };
    },
    async *bare(before_ms) {
      for (const [id, { output, saved_at_ms }] of [...kept])
        if (output.length === 0 && saved_at_ms < before_ms) yield id;
    },
    async purge(id) {
      kept.delete(id);
    },
  };
}

function lastLines(bytes: Buffer, lines: number | null): Buffer {
  if (lines === null) return bytes;
  const all = bytes.toString("latin1").split(/(?<=\n)/);
  return Buffer.from(all.slice(Math.max(0, all.length - lines)).join(""), "latin1");
}
