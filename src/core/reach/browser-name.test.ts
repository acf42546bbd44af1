import assert from "node:assert/strict";
import { it } from "vitest";
import { browserName } from "./browser-name.ts";

it("tells browsers and systems apart", () => {
  for (const [text, name] of [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1",
      "Safari on iPhone",
    ],
    ["curl/8.5", "a browser"],
    ["\u001b[31m<script>", "a browser"],
  ] as const)
    assert.equal(browserName(text), name);
});
