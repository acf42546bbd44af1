/** What came of answering or ending several decisions: one line each. */
import type { BatchResult } from "../../api/api.ts";
import { deliveryWords, standing } from "../../inbox/card/words.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { EXIT } from "../base/fail.ts";
import { afterDelivery } from "../card/outcome.ts";

/** The exit code says if one was refused. */
export async function tellResults(context: Context, results: readonly BatchResult[]): Promise<number> {
  const { out, json, now } = context;
  if (json) out.json(results);
  else {
    const settled = results.map(async (it) =>
      "error" in it ? it : { ...it, decision: await afterDelivery(context, it.decision) },
    );
    for (const result of settled) out.print(itemLine(await result, now(), out.style));
  }
  return results.some((it) => "error" in it) ? EXIT.refused : EXIT.done;
}

function itemLine(result: BatchResult, now: number, style: Context["out"]["style"]): string {
  if ("error" in result) return `${style.red("✗")} ${safeLine(result.id)}  ${safe(result.error.message)}`;
  const { decision } = result;
  const delivery = decision.delivery.state === "none" ? null : deliveryWords(decision);
  const words = [standing(decision, now), delivery].filter((it) => it !== null).join("; ");
  return `${style.green("✓")} ${decision.id}  ${words.replace("; answered, ", "; ")}`;
}
