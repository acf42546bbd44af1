/** Which machines are there: each daemon says so every few seconds, in the database's time. */
import type { MachineName } from "../../core/model/ids.ts";
import type { Presence } from "../../ports.ts";
import type { Answer, Question, Row } from "./connection.ts";
import type { Identity } from "./identity.ts";
import { wholeNumber } from "./rows.ts";

/** Whoever said nothing for this long is away. */
const AWAY_AFTER = "15 seconds";

const ms = (interval: string) => `floor(extract(epoch FROM ${interval}) * 1000)::bigint`;

/** Asks which machines there are. One that has just claimed its place has no name yet. */
export const askPresence = `
  SELECT name, ${ms("away")} AS since_ms, ${ms("(now() - away)")} AS for_ms
  FROM (
    SELECT name, CASE
      WHEN left_at IS NOT NULL THEN left_at
      WHEN now() - last_seen > interval '${AWAY_AFTER}' THEN last_seen
    END AS away
    FROM daemons WHERE NOT forgotten AND name IS NOT NULL
  ) AS them`;

/** Whether a failover could lose what was acknowledged: standbys follow, and no commit waits for one. */
export const askLoss = `
  SELECT current_setting('synchronous_standby_names') = '' AND EXISTS (SELECT FROM pg_stat_replication) AS may_lose`;

export const askTime = `SELECT ${ms("clock_timestamp()")} AS now_ms`;

export function agreeOn(agree: ((now_ms: number) => void) | undefined, answer: Answer | undefined): void {
  const now = wholeNumber(answer?.rows[0]?.now_ms);
  if (now !== null) agree?.(now);
}

/** Says that this one is there, then asks who else is. */
export function askWho({ id, epoch }: Pick<Identity, "id" | "epoch">, name: MachineName): Question[] {
  const text = "UPDATE daemons SET name = $3, last_seen = now(), left_at = NULL WHERE id = $1 AND epoch = $2";
  return [{ text, values: [id, epoch, name] }, askPresence];
}

export function sayLeft({ id, epoch }: Pick<Identity, "id" | "epoch">): Question {
  return { text: "UPDATE daemons SET left_at = now() WHERE id = $1 AND epoch = $2", values: [id, epoch] };
}

export function presenceOf(rows: readonly Row[]): Presence[] {
  return rows.map(({ name, since_ms, for_ms }) => {
    const [since, during] = [wholeNumber(since_ms), wholeNumber(for_ms)];
    return { name: String(name), away: since === null ? null : { since_ms: since, for_ms: during ?? 0 } };
  });
}
