/** Tries again what one push service could not take while others could: a few times, further and further apart. */
import type { Clock } from "../../../ports.ts";
import type { Posted } from "./post.ts";

export interface Later {
  /** `name` is the message's tag and the browser: a newer message with that name takes its place. */
  add(name: string, waitMs: number | null, work: () => Promise<Posted>): void;
  /** Gives up on messages with this tag. */
  end(tag: string): void;
  close(): void;
}

const WAITS_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];

export function openLater(clock: Clock): Later {
  const armed = new Map<string, () => void>();

  function disarm(name: string): void {
    armed.get(name)?.();
    armed.delete(name);
  }

  function arm(name: string, waitMs: number | null, work: () => Promise<Posted>, tries: number): void {
    const usual = WAITS_MS[tries];
    if (usual === undefined) return;
    const attempt = () => {
      armed.delete(name);
      void work().then(
        (posted) => {
          if (posted.type === "later" && !armed.has(name)) arm(name, posted.retryAfterMs, work, tries + 1);
        },
        () => {}, // it could not be encrypted or noted: nothing that waiting would mend
      );
    };
    armed.set(name, clock.after(Math.max(usual, waitMs ?? 0), attempt));
  }

  return {
    add(name, waitMs, work) {
      disarm(name);
      arm(name, waitMs, work, 0);
    },
    end(tag) {
      for (const name of [...armed.keys()]) if (name.startsWith(`${tag} `)) disarm(name);
    },
    close() {
      for (const name of [...armed.keys()]) disarm(name);
    },
  };
}
