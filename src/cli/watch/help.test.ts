import assert from "node:assert/strict";
import { it } from "vitest";
import { plain } from "../base/output.ts";
import { helpPane } from "./help.ts";

it("explains every mark of a row, and the keys of rules", () => {
  for (const width of [80, 120]) {
    const text = helpPane({ width, height: 100 }, 0, plain).lines.join("\n");
    for (const part of ["! high", "· low", "- work goes on (--no-wait)", "→ going out", "✓ marked"])
      assert.ok(text.includes(part), `${part} at ${width}`);
    assert.match(text, /R +remember this approval/);
    assert.match(text, /P +look at the rule that your answers suggest/);
  }
});
