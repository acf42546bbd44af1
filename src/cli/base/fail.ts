/** The only place where something that went wrong becomes words and an exit code. */
import type { ErrorBody } from "../../api/api.ts";
import { isDisconnect } from "../../client/disconnect.ts";
import type { RefusalCode } from "../../core/model/errors.ts";
import { REFUSALS, Refusal } from "../../core/model/errors.ts";
import { wrap } from "../../text/layout.ts";
import { safe } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";

export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  ended: 4,
  timeout: 5,
  interrupted: 130,
} as const;

/** Whatever was thrown, as a refusal: lost connections and bugs become one too. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return bug(String(error));
  if (isDisconnect(error))
    return new Refusal(
      "daemon.unreachable",
      `the connection to the daemon was lost: ${error.message}`,
      "oj daemon status",
    );
  return bug(error.message);
}

export function isBug(error: unknown): boolean {
  return toRefusal(error) !== error && toRefusal(error).code === "daemon.failed";
}

export function exitCodeOf(code: RefusalCode): number {
  return REFUSALS[code]?.exit ?? EXIT.refused;
}

/**
 *     ✗ dec-4f2a has 4 options; 7 is not one of them.
 *       1 Nudge (recommended)  2 Done  3 Cancel  4 Dismiss
 *       → oj decision resolve dec-4f2a <1-4>
 */
export function refusalText(refusal: Refusal, style: Style, width = Number.POSITIVE_INFINITY): string {
  const [message = "", ...more] = safe(refusal.message).trimEnd().split("\n");
  const [first = "", ...wrapped] = wrap(message, width - 2);
  const hints = refusal.hint === null ? [] : safe(refusal.hint).trimEnd().split("\n");
  const next = hints.pop();
  return [
    `${style.red("✗")} ${first}`,
    ...[...wrapped, ...more, ...hints].map((line) => `  ${line}`.trimEnd()),
    ...(next === undefined ? [] : [`  ${style.cyan("→")} ${next}`]),
  ].join("\n");
}

export function refusalBody(refusal: Refusal): ErrorBody {
  const { code, message, hint, details } = refusal;
  return { error: { code, message, hint, ...(details === null ? {} : { details }) } };
}

/** A usage mistake on the command line. */
export function usage(message: string, hint: string | null = null): Refusal {
  return new Refusal("usage", message, hint);
}

function bug(message: string): Refusal {
  return new Refusal(
    "daemon.failed",
    `oj failed, and this is a bug in oj: ${message}`,
    "set OJ_DEBUG=1 and run it again to see where",
  );
}
