import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { SettingsSource } from "../client-settings.ts";
import { claudeSettings } from "./settings.ts";

const report = { url: "http://127.0.0.1:4711/hooks/agent", variable: "OJ_AGENT_TOKEN" };
const at = (scope: SettingsSource["scope"], settings: SettingsSource["settings"]): SettingsSource => ({
  file: `/${scope}.json`,
  scope,
  settings,
});
const user = (settings: object) => at("user", { ...settings });
const managed = (settings: object) => at("managed", { ...settings });

/** What the files say → the kind of hooks that is left, and what ruled out the better one. */
const TABLE: [name: string, sources: SettingsSource[], door: string, by: string | null][] = [
  ["no file", [], "http", null],
  ["files that say nothing of it", [user({ model: "x" })], "http", null],
  ["a person's switch", [user({ disableAllHooks: true })], "none", "disableAllHooks in /user.json"],
  ["a person's switch that is off", [user({ disableAllHooks: false })], "http", null],
  [
    "a project's switch",
    [user({}), at("project", { disableAllHooks: true })],
    "none",
    "disableAllHooks in /project.json",
  ],
  [
    "a project that switches them on again",
    [user({ disableAllHooks: true }), at("project", { disableAllHooks: false })],
    "http",
    null,
  ],
  [
    "a project that would switch on what the company has switched off",
    [at("local", { disableAllHooks: false }), managed({ disableAllHooks: true })],
    "none",
    "disableAllHooks in /managed.json",
  ],
  [
    "a company's own hooks only",
    [managed({ allowManagedHooksOnly: true })],
    "none",
    "allowManagedHooksOnly in /managed.json",
  ],
  ["a person who says so has no say in that", [user({ allowManagedHooksOnly: true })], "http", null],
  [
    "hooks of plugins only",
    [managed({ strictPluginOnlyCustomization: ["skills", "hooks"] })],
    "none",
    "strictPluginOnlyCustomization in /managed.json",
  ],
  ["other things of plugins only", [managed({ strictPluginOnlyCustomization: ["skills"] })], "http", null],
  ["no addresses", [user({ allowedHttpHookUrls: [] })], "command", "allowedHttpHookUrls in /user.json"],
  [
    "other addresses",
    [user({ allowedHttpHookUrls: ["https://hooks.example.com/*", "http://127.0.0.1:4711/"] })],
    "command",
    "allowedHttpHookUrls in /user.json",
  ],
  ["our address", [user({ allowedHttpHookUrls: ["http://127.0.0.1:*"] })], "http", null],
  [
    "our address in one of two files",
    [
      user({ allowedHttpHookUrls: ["http://127.0.0.1:4711/hooks/agent"] }),
      managed({ allowedHttpHookUrls: [] }),
    ],
    "http",
    null,
  ],
  [
    "a dot is a dot",
    [user({ allowedHttpHookUrls: ["http://127x0x0x1:*"] })],
    "command",
    "allowedHttpHookUrls in /user.json",
  ],
  [
    "no variables, so that nobody could tell who reports",
    [user({ httpHookAllowedEnvVars: [] })],
    "command",
    "httpHookAllowedEnvVars in /user.json",
  ],
  ["our variable", [user({ httpHookAllowedEnvVars: ["A", "OJ_AGENT_TOKEN"] })], "http", null],
  [
    "both: what is off altogether counts",
    [user({ disableAllHooks: true, allowedHttpHookUrls: [] })],
    "none",
    "disableAllHooks in /user.json",
  ],
  [
    "values of other kinds say nothing",
    [user({ disableAllHooks: "true", allowedHttpHookUrls: "none", httpHookAllowedEnvVars: null })],
    "http",
    null,
  ],
];

describe("hooks that the settings leave on", () => {
  it.each(TABLE)("%s", (_, sources, door, by) => {
    assert.deepEqual(claudeSettings.rule(sources, report), { door, by });
  });

  it("are looked up in the order in which the client reads them", () => {
    const files = claudeSettings.files({
      env: {},
      home: "/home",
      platform: "linux",
      folders: ["/shop/web", "/shop"],
      managed: "/etc/cc",
    });
    assert.deepEqual(
      files.map((it) => `${it.scope} ${it.file}`),
      [
        "user /home/.claude/settings.json",
        "project /shop/web/.claude/settings.json",
        "project /shop/.claude/settings.json",
        "local /shop/web/.claude/settings.local.json",
        "local /shop/.claude/settings.local.json",
        "managed /etc/cc/managed-settings.json",
        "managed /etc/cc/managed-settings.d/",
      ],
    );
  });
});
