/** One moment of the log for several questions: other machines write, compact and erase meanwhile. */
import type { Connection } from "./connection.ts";

export const AT_ONE_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

const LIMIT_MS = 60_000;

/** Whatever `work` asks is answered as of its first question. */
export async function atOneMoment<T>(
  connection: Connection,
  work: () => Promise<T>,
  limitMs = LIMIT_MS,
): Promise<T> {
  await connection.ask([AT_ONE_MOMENT], limitMs);
  try {
    return await work();
  } finally {
    await connection.ask(["ROLLBACK"], limitMs).catch(() => connection.destroy());
  }
}
