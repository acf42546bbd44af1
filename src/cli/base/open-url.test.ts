import assert from "node:assert/strict";
import { it } from "vitest";
import { opener } from "./open-url.ts";

it("opens a browser only where somebody would see it", () => {
  assert.equal(opener("linux", { DISPLAY: ":0" }), "xdg-open");
  assert.equal(opener("linux", { WAYLAND_DISPLAY: "wayland-0" }), "xdg-open");
  assert.equal(opener("linux", {}), null);
  assert.equal(opener("darwin", {}), "open");
  assert.equal(opener("darwin", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }), null);
});
