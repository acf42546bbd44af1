/** The journal's contract, kept by the file and by the fake. */
import fs from "node:fs/promises";
import path from "node:path";
import { fileJournal } from "../../src/adapters/files/journal.ts";
import { fakeJournal } from "../fakes/fake-journal.ts";
import { journalContract } from "./journal.contract.ts";
import { tempFolder } from "./temp.ts";

journalContract("in a file", async () => {
  const file = path.join(await tempFolder(), "daemon.log");
  const journal = fileJournal({ file, level: "debug", maxBytes: 1e6, keep: 2, now: () => 1 });
  return {
    journal,
    async lines() {
      await journal.close();
      const text = await fs.readFile(file, "utf8");
      return text
        .trimEnd()
        .split("\n")
        .map((line) => {
          const { at_ms: _, level, message, ...fields } = JSON.parse(line);
          return { level, message, fields };
        });
    },
  };
});

journalContract("the fake", async () => {
  const journal = fakeJournal();
  return { journal, lines: async () => journal.lines };
});
