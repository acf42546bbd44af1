/** The contract of reading scripts, kept by bash and by the fake. */
import path from "node:path";
import { bashReader } from "../../src/adapters/bash/reader.ts";
import { fakeReadScripts } from "../fakes/fake-read-scripts.ts";
import { readScriptsContract } from "./read-scripts.contract.ts";
import { tempFolder } from "./temp.ts";

const bad = "echo one\nfi\necho two";

readScriptsContract("by bash", async () => {
  const dir = path.join(await tempFolder(), "reading");
  return { read: bashReader({ dir, env: { PATH: process.env.PATH ?? "" } }), bad };
});

readScriptsContract("the fake", async () => {
  const read = fakeReadScripts();
  read.problems.set(bad, { line: 2, message: 'syntax error near unexpected token "fi"' });
  return { read, bad };
});
