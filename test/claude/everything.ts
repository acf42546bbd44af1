/**
 * Each cell costs a client, and a client takes seconds of a core. `npm run test:claude` walks all of them; `npm test` every way, and on
 * the ways that cost most those answers that are hardest to get right.
 */
export const EVERYTHING = process.env.OJ_TEST_EVERYTHING === "1" || Boolean(process.env.OJ_SAVE_CELLS);
