import assert from "node:assert/strict";
import { it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.UTC(2026, 10, 16, 10, 0, 0);

it("reads seconds and dates, and nothing else", () => {
  for (const [header, ms] of [
    [null, null],
    ["", null],
    ["soon", null],
    ["0", 0],
    ["30", 30_000],
    [" 1.5 ", 1500],
    ["-5", 0], // a year that is long gone
    ["999999999", 86_400_000],
    ["Mon, 16 Nov 2026 10:02:00 GMT", 120_000],
    ["Mon, 16 Nov 2026 09:00:00 GMT", 0],
  ] as const)
    assert.equal(retryAfterMs(header, NOW), ms, String(header));
});
