import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { until } from "../../test/contracts/temp.ts";
import { watchFile } from "./watch.ts";

it("hears of a config file, also where its folder does not exist yet", async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "oj-watch-"));
  onTestFinished(() => fs.rmSync(home, { recursive: true }));
  const file = path.join(home, ".config/oj/config.toml");
  const seen: string[] = [];
  const end = watchFile(file, () => {
    seen.push(fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "");
  });
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await until(() => seen.length > 0);
  for (const text of ["one", "two"]) {
    fs.writeFileSync(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
    await until(() => seen.at(-1) === text);
  }
  end();
  const { length } = seen;
  fs.writeFileSync(file, "three");
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(seen.length, length);
});
