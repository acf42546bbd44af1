/** The contract of beads, kept by the real `bd`: `npm run test:beads`. */
import { beadsContract } from "../contracts/beads.contract.ts";
import { bdUnderTest } from "../contracts/beads-support.ts";
import { tempFolder } from "../contracts/temp.ts";
import { PROGRAMS } from "./programs.ts";

for (const { version, bin, lock } of PROGRAMS)
  beadsContract(`bd ${version}`, async () => {
    const dir = await tempFolder();
    return bdUnderTest({ bin: bin(dir), dir, hold: (dotBeads) => lock(dotBeads) });
  });
