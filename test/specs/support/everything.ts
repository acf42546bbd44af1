/**
 * Whether the whole tables of the real clients are walked: `npm run test:clients` and `npm run test:claude` do. Each
 * start of a client takes seconds of a core, so `npm test` shows everything that must be shown with as few as it can.
 */
export const EVERYTHING = process.env.OJ_TEST_EVERYTHING === "1";
