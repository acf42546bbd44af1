import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { it } from "vitest";
import { lookAt } from "../../src/agents/claude/terminal/screen.ts";
import { startBare } from "./bare.ts";
import { describeClaude } from "./describe.ts";
import { FIXTURES, fixture, sanitised, TOURS } from "./screens.ts";
import { installed } from "./stage.ts";

const SAVES = process.env.OJ_SAVE_SCREENS === "1";
/** A dialog ignores keys for its first moments. */
const GRACE_MS = 1600;

describeClaude("shows", () => {
  it.concurrent.each(Object.entries(TOURS))(
    "the screens that we know: %s",
    async (name, { script, start, stops }) => {
      const client = await startBare({
        bin: installed.bin ?? "",
        prompt: `Play #s:${name}`,
        scripts: { [name]: script },
        ...start,
      });
      try {
        for (const stop of stops) {
          await client.until(`${stop.shows} on the screen`, async () =>
            stop.shows.test(`${await client.screen()}\n`),
          );
          await sleep(GRACE_MS);
          const screen = sanitised(await client.screen(), client.folder);
          if (SAVES) {
            fs.mkdirSync(FIXTURES, { recursive: true });
            fs.writeFileSync(path.join(FIXTURES, `${stop.name}.txt`), screen);
          }
          assert.deepEqual(lookAt(screen), lookAt(fixture(stop.name)), `${stop.name}:\n${screen}`);
          for (const step of stop.does ?? []) {
            if (typeof step === "string") await client.press(step);
            else await client.paste(step.paste);
            await sleep(700);
          }
        }
      } finally {
        await client.close();
      }
    },
  );
});
