/** How the mirror of a project stands, in lines. */
import type { BeadsView } from "../../api/api.ts";
import { roughly } from "../../core/text/duration.ts";
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";

const CURES: Record<Exclude<BeadsView["state"], "ok">, string> = {
  absent: "install bd where the daemon finds it, then: oj daemon restart",
  old: "install a newer bd",
  "no-database": "make one yourself: bd init --stealth",
  locked: "find the bd that holds the lock; this continues by itself",
  failing: "try it yourself: bd list",
};

export function beadsLines(it: BeadsView, { out, now }: Pick<Context, "out" | "now">): string[] {
  const { style } = out;
  const where = `${safeLine(it.project)}  ${safeLine(it.dir ?? it.root)}`;
  const waits = it.owed === 0 ? "up to date" : `${count(it.owed, "decision")} not mirrored yet`;
  if (it.state === "ok") return [`${style.green("✓")} ${where}  ${waits}`];
  const next =
    it.retry_at_ms === null ? "" : `; the next try is in ${roughly(Math.max(0, it.retry_at_ms - now()))}`;
  return [
    `${style.red("✗")} ${where}  ${waits}`,
    `  ${it.state}: ${safeLine(it.trouble ?? "")}${next}`,
    `  ${style.cyan("→")} ${CURES[it.state]}`,
  ];
}
