/**
 * Whether all cells are tested. Each one needs a client, which takes seconds of a core. `npm run test:claude` walks all
 * of them; `npm test` walks every way, but on the most expensive ones only the answers that are hardest to get right.
 */
export const EVERYTHING = process.env.OJ_TEST_EVERYTHING === "1" || Boolean(process.env.OJ_SAVE_CELLS);
