import { it } from "vitest";
import type { Source } from "./cell-rows.ts";
import { toldRows } from "./cell-rows.ts";
import { compare } from "./cell-table.ts";
import { inRounds, lanesOf, restart, walking } from "./cells.ts";
import { describeClaude } from "./describe.ts";
import { EVERYTHING } from "./everything.ts";

const SOURCES: Source[] = EVERYTHING ? ["approval", "question", "plan"] : ["approval", "question"];

describeClaude("receives every answer to every dialog", () => {
  it("by keys, after the daemon that kept its hook open was killed", async () => {
    const trains = SOURCES.map((it) => lanesOf(it, toldRows(it)));
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
