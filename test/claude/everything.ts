/**
 * Whether all cells are tested. Each one needs a client, which takes seconds of a core. `npm run test:claude` walks all
 * of them; `npm test` walks every way, but on the most expensive ones only the answers that are hardest to get right.
 */
import { EVERYTHING as ALL } from "../specs/support/everything.ts";

export const EVERYTHING = ALL || Boolean(process.env.OJ_SAVE_CELLS);
