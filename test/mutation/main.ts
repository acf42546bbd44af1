/**
 * `npm run mutate -- [--files core/…] [--sample N] [--seed S]`: makes small mistakes in core, one at a time, and says
 * which of them no test notices. All are built in at once and switched on one by one, so each takes milliseconds.
 */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { chanceOf } from "../../src/trial/chance.ts";
import { bundle } from "./bundle.ts";
import type { Mutant } from "./mutants.ts";
import { mutantsOf } from "./mutants.ts";
import { tryMutants } from "./try.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "core" },
    sample: { type: "string", default: "400" },
    seed: { type: "string", default: "1" },
  },
});
const root = process.cwd();
const began = performance.now();

function filesBelow(folder: string, isWanted: (file: string) => boolean): string[] {
  const names = fs.readdirSync(path.join(root, folder), { recursive: true }) as string[];
  return names
    .map((it) => path.posix.join(folder, it))
    .filter(isWanted)
    .sort();
}

function sampled(all: Mutant[]): Mutant[] {
  const chance = chanceOf(Number(values.seed));
  const left = [...all];
  const most = Math.min(Number(values.sample), left.length);
  return Array.from({ length: most }, () => left.splice(chance.pick(left.length), 1)[0] as Mutant);
}

/** Nothing but `describe` and `it` is needed to run it. */
const isPlainTest = (file: string) =>
  file.endsWith(".test.ts") && PLAIN.test(fs.readFileSync(path.join(root, file), "utf8"));
const PLAIN = /^import \{ (describe, )?it \} from "vitest";$/m;
const isSource = (file: string) => file.endsWith(".ts") && !file.endsWith(".test.ts");
const sources = filesBelow("src/core", (it) => isSource(it) && it.startsWith(`src/${values.files}`));
/** Tests of core, and of the pure layers above it that are tested with core inside. */
const tests = [
  ...["src/core", "src/runbook", "src/inbox", "src/agents", "src/text"].flatMap((it) =>
    filesBelow(it, isPlainTest),
  ),
  "test/unit/every-answer.test.ts",
];
const all = sources
  .flatMap((file) => mutantsOf(file, fs.readFileSync(path.join(root, file), "utf8")))
  .map((it, id) => ({ ...it, id }));
const chosen = sampled(all);
const program = await bundle(root, tests, chosen);
try {
  const { known, outcomes } = await tryMutants(program, chosen);
  const counted = chosen.filter((it) => outcomes.get(it.id) !== "early");
  const of = (outcome: string) => counted.filter((it) => outcomes.get(it.id) === outcome);
  const [survived, unreached] = [of("survived"), of("unreached")];
  for (const it of [...survived, ...unreached].sort((a, b) => a.id - b.id)) {
    const text = fs.readFileSync(path.join(root, it.file), "utf8").slice(it.start, it.end);
    const what = `${it.kind}: ${text.replace(/\s+/g, " ").slice(0, 70)}`;
    process.stdout.write(`${it.file}:${it.line}  ${outcomes.get(it.id)}  ${what}\n`);
  }
  for (const name of known.failing) process.stdout.write(`not used, it fails without a mutant: ${name}\n`);
  const found = counted.length - survived.length - unreached.length;
  process.stdout.write(
    `${all.length} mutants in ${sources.length} files, ${counted.length} tried with ${known.tests} tests: ` +
      `${found} found (${of("endless").length} never ended), ${survived.length} survived, ` +
      `${unreached.length} no test reaches; score ${((100 * found) / counted.length).toFixed(1)} % ` +
      `in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
  );
} finally {
  fs.rmSync(program, { force: true });
}
