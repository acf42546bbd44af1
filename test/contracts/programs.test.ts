/** The contract of programs, kept by those on the machine and by the fake. */
import fs from "node:fs";
import path from "node:path";
import { programVersions } from "../../src/adapters/system/program-versions.ts";
import { fakePrograms } from "../fakes/fake-programs.ts";
import { programsContract } from "./programs.contract.ts";
import { tempFolder } from "./temp.ts";

programsContract("on the machine", async () => {
  const dir = await tempFolder();
  return {
    programs: programVersions(),
    at: { cwd: dir, env: { PATH: `${dir}:/usr/bin:/bin` } },
    install: (name, version) =>
      fs.writeFileSync(path.join(dir, name), `#!/bin/sh\necho "${version} (A Program)"\n`, { mode: 0o755 }),
  };
});

programsContract("the fake", async () => {
  const programs = fakePrograms();
  return {
    programs,
    at: { cwd: "/", env: {} },
    install: (name, version) => void programs.installed.set(name, version),
  };
});
