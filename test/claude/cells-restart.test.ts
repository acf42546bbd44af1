import { it } from "vitest";
import type { Source } from "./cell-rows.ts";
import { toldRows } from "./cell-rows.ts";
import { compare } from "./cell-table.ts";
import { inRounds, lanesOf, restart, walking } from "./cells.ts";
import { describeClaude } from "./describe.ts";

const SOURCES: Source[] = ["approval", "question", "plan", "idle", "error", "gate", "dead", "request"];

describeClaude("gets each answer to each question", () => {
  it("when the daemon is killed right after it was given", async () => {
    const trains = SOURCES.map((it) => lanesOf(it, toldRows(it)));
    const walk = await walking(trains.flat());
    await inRounds(walk, trains, async (open) => {
      await Promise.all(open.map(({ lane, row, decision }) => walk.give(lane, row, decision)));
      await restart(walk.stage);
      await Promise.all(open.map(({ lane, row, decision }) => walk.note(lane, row, decision, "anyhow")));
    });
    compare("restart", walk.seen);
  });
});
