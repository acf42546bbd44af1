import assert from "node:assert/strict";
import { it } from "vitest";
import { silentBriefly, silentWords } from "./hook-settings.ts";

it("tells of hooks that are off in words that say what is off, by what, and what it costs", () => {
  const by = "disableAllHooks in /user.json";
  assert.equal(silentBriefly({ off: "all", by }), `its hooks are off (${by})`);
  assert.equal(silentBriefly({ off: "http", by: null }), "its HTTP hooks are off (for an unknown reason)");
  assert.match(
    silentWords({ off: "all", by }),
    /^Its client runs no hooks: switched off by disableAllHooks in/,
  );
  assert.match(silentWords({ off: "http", by: null }), /it may be a company policy\. oj reads its screen/);
});
