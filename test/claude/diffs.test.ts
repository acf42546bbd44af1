import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { unifiedDiff } from "../../src/core/text/diff.ts";
import { describeClaude } from "./describe.ts";
import { text, tool } from "./model-api.ts";
import { claudeStage } from "./stage.ts";

const CART = "// cart\n\nconst TAX = 0.19;\n\nexport const total = (net) => net * (1 + TAX);\n// TAX\n";

describeClaude("shows what it would do to a file", () => {
  it("and does exactly that: an edit, one of every occurrence, a rewrite, a new file", async () => {
    const edit = (more: object) => tool("Edit", { file_path: "cart.js", ...more });
    const stage = await claudeStage({
      edits: {
        script: [
          tool("Read", { file_path: "cart.js" }),
          edit({ old_string: "TAX = 0.19", new_string: "TAX = 0.2" }),
          edit({ old_string: "TAX", new_string: "RATE", replace_all: true }),
          tool("Write", { file_path: "cart.js", content: "// gone\n" }),
          tool("Write", { file_path: "made/new.js", content: "export {};" }),
          text("Fine."),
        ],
      },
    });
    const at = (file: string) => path.join(stage.dir, file);
    const textOf = (file: string) => (fs.existsSync(at(file)) ? fs.readFileSync(at(file), "utf8") : null);
    fs.writeFileSync(at("cart.js"), CART);
    const run = await stage.job("edits");
    for (const file of ["cart.js", "cart.js", "cart.js", "made/new.js"]) {
      const before = textOf(file);
      const decision = await run.asked("approval");
      const diff = decision.action?.diff;
      assert.ok(diff, decision.title);
      assert.deepEqual([diff.is_new, diff.cut, diff.unread], [before === null, 0, null]);
      await run.answer(decision, "1");
      const after = await stage.until(() => textOf(file) !== before && textOf(file), `the change of ${file}`);
      assert.equal(diff.text, unifiedDiff(before ?? "", after), decision.title);
    }
    assert.equal(await run.ended(), "completed");
  });
});
