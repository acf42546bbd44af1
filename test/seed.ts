/**
 * Random properties are tried with the same values in every run: one must not fail by chance, under somebody else's
 * change. `OJ_SEED=random` tries new ones, as `npm run test:long` does; a failure prints its seed.
 */
import fc from "fast-check";

const given = process.env.OJ_SEED ?? "20261116";
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(given === "random" ? {} : { seed: Number(given) }) });
