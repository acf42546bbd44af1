import { it } from "vitest";
import { toldRows } from "./cell-rows.ts";
import { compare } from "./cell-table.ts";
import { inRounds, lanesOf, restart, walking } from "./cells.ts";
import { describeClaude } from "./describe.ts";

describeClaude("gets each answer to each dialog", () => {
  it("by keys, where the hook that told of it is gone with its daemon", async () => {
    const trains = (["approval", "question", "plan"] as const).map((it) => lanesOf(it, toldRows(it)));
    const walk = await walking(trains.flat());
    await inRounds(walk, trains, async (open) => {
      await restart(walk.stage);
      await Promise.all(
        open.map(async ({ lane, row, decision }) => {
          await walk.give(lane, row, decision);
          await walk.note(lane, row, decision, "told");
        }),
      );
    });
    compare("keys", walk.seen);
  });
});
