import { it } from "vitest";
import type { Source } from "./cell-rows.ts";
import { rowsOf, toldRows } from "./cell-rows.ts";
import { compare } from "./cell-table.ts";
import type { Lane } from "./cells.ts";
import { kill, lanesOf, pooled, walking } from "./cells.ts";
import { describeClaude } from "./describe.ts";
import { EVERYTHING } from "./everything.ts";

const ALL: Source[] = ["approval", "question", "plan", "idle", "dead", "error", "gate", "request"];

describeClaude("receives every answer to every question", () => {
  it("through its open hook or as text", async () => {
    const lanes = (EVERYTHING ? ALL : ALL.slice(0, 5)).flatMap((it) =>
      lanesOf(it, EVERYTHING ? rowsOf(it) : toldRows(it)),
    );
    const walk = await walking(lanes);
    const go = async (lane: Lane) => {
      const run = await walk.begin(lane);
      for (const row of lane.rows) {
        if (row.source === "dead") await kill(walk.stage, run);
        const decision = await walk.asked(run, row);
        await walk.give(lane, row, decision);
        if (!row.refused) await walk.note(lane, row, decision, "told");
      }
    };
    await pooled(lanes, 4, go);
    compare("usual", walk.seen);
  });
});
