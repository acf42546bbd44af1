/** What messages tell people to type is there to be typed. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { aliases } from "../../src/cli/is-frequent.ts";
import { isCommand, isGroup } from "../../src/cli/registry.ts";

/** Sentences about `oj` that begin like a command. */
const SENTENCES = new Set(["does", "has", "was", "is", "could", "can", "knows", "x"]);

it("every command that the source names exists", () => {
  const root = path.join(import.meta.dirname, "../../src");
  const files = fs
    .readdirSync(root, { encoding: "utf8", recursive: true })
    .filter((it) => /\.tsx?$/.test(it) && !it.endsWith(".test.ts"));
  const missing = files.flatMap((file) => {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    return [...text.matchAll(/["`: ]oj ([a-z]+)(?: ([a-z]+(?:-[a-z]+)*))?["`]/g)].flatMap(
      ([, word = "", verb]) => {
        const isThere =
          verb === undefined
            ? isCommand(word) || isGroup(word)
            : isCommand(`${word} ${verb}`) || isCommand(word);
        return isThere || Object.hasOwn(aliases, word) || SENTENCES.has(word)
          ? []
          : [`${file}: oj ${word} ${verb ?? ""}`.trim()];
      },
    );
  });
  assert.deepEqual(missing, []);
});
