import { it } from "vitest";
import type { Source } from "./cell-rows.ts";
import { toldRows } from "./cell-rows.ts";
import { compare } from "./cell-table.ts";
import type { Open } from "./cells.ts";
import { inRounds, lanesOf, restart, walking } from "./cells.ts";
import { describeClaude } from "./describe.ts";
import { EVERYTHING } from "./everything.ts";

const SOURCES: Source[] = EVERYTHING
  ? ["approval", "question", "plan", "idle", "error", "gate", "dead", "request"]
  : ["approval", "plan", "idle"];

describeClaude("receives every answer to every question", () => {
  it("even if the daemon is killed right after the answer was given", async () => {
    const trains = SOURCES.map((it) => lanesOf(it, toldRows(it)));
    const walk = await walking(trains.flat());
    const given: Open[] = [];
    await inRounds(walk, trains, async (open) => {
      await Promise.all(open.map(({ lane, row, decision }) => walk.give(lane, row, decision)));
      await restart(walk.stage);
      given.push(...open);
    });
    // a message that comes with an answer may have to wait until the next dialog is answered, so it is read last
    await Promise.all(given.map(({ lane, row, decision }) => walk.note(lane, row, decision, "anyhow")));
    compare("restart", walk.seen);
  });
});
