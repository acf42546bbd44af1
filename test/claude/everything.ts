/**
 * Whether all cells are tested. Each one needs a client, which takes seconds of a core. `npm run test:claude` walks all
 * of them; `npm test` walks every way, but only the answers that are hardest to get right.
 */
import { it } from "vitest";
import { EVERYTHING as ALL } from "../everything.ts";

export const EVERYTHING = ALL || Boolean(process.env.OJ_SAVE_CELLS);

/** A test that `npm test` leaves out. */
export const also = it.runIf(EVERYTHING);
