import assert from "node:assert/strict";
import fs from "node:fs";
import { it } from "vitest";
import { claudeCode } from "../../src/agents/claude/client.ts";
import { startBare } from "./bare.ts";
import type { Drawn } from "./calls.ts";
import { CALLS, DRAWN } from "./calls.ts";
import { describeClaude } from "./describe.ts";
import { EVERYTHING } from "./everything.ts";
import { text, tool } from "./model-api.ts";
import { sanitised } from "./screens.ts";
import { installed } from "./stage.ts";

const SAVES = process.env.OJ_SAVE_SCREENS === "1";
const { shows } = claudeCode;
const DIALOG = /❯ 1\. Yes/;

describeClaude("asks for permission", () => {
  const sizes = [
    { columns: 120, rows: 50 },
    { columns: 72, rows: 18 },
  ];
  it.concurrent.each(EVERYTHING ? sizes : sizes.slice(1))(
    "in dialogs that oj matches with their calls, at $columns columns and $rows rows",
    async (size) => {
      const client = await startBare({
        bin: installed.bin ?? "",
        prompt: "Play #s:calls",
        scripts: { calls: [...CALLS.map((it) => tool(it.name, it.input)), text("Fine.")] },
        ...size,
      });
      const drawn: Drawn[] = [];
      try {
        for (const call of CALLS) {
          const prompt = await client.dialog();
          assert.equal(prompt.tool, call.name);
          await client.until(`${call.name} on the screen`, async () => {
            const screen = await client.screen();
            return DIALOG.test(screen) && screen !== drawn.at(-1)?.screen && shows(prompt, screen);
          });
          drawn.push({ prompt, screen: await client.screen() });
          await client.type(prompt, { type: "approve", message: null });
        }
        await client.until("the end", async () => /● Fine\./.test(await client.screen()));
      } finally {
        await client.close();
      }
      if (SAVES && size.rows === 50) {
        const kept = drawn.map((it) => JSON.parse(sanitised(JSON.stringify(it), client.folder)));
        fs.writeFileSync(DRAWN, `${JSON.stringify(kept, null, 1)}\n`);
      }
      for (const { prompt } of drawn)
        for (const other of drawn)
          if (other.prompt !== prompt)
            assert.ok(!shows(prompt, other.screen), `${JSON.stringify(prompt.input)} on\n${other.screen}`);
    },
  );
});
