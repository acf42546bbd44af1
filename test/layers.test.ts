/** The layer test: the map in ARCHITECTURE.md as two tables, of layers and of rooms, checked against every import in src/. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { describe, it } from "vitest";

interface Layer {
  /** Other layers it may import; its own files it always may, as far as its rooms allow. */
  ours: string[];
  /** May it import `node:`? A list means: only these files may. */
  node: boolean | string[];
  /** npm packages it may import. */
  packages: string[] | "any";
  /** Files that may import more of ours than the rest of their layer. */
  except?: Record<string, string[]>;
}

const http = ["hono", "@hono/zod-openapi", "zod"];

/** A path ending in "/" is a folder of src/, otherwise a file. The longest match counts. */
const layers: Record<string, Layer> = {
  "core/": { ours: [], node: false, packages: [] },
  "runbook/": { ours: ["core/"], node: ["runbook/load.ts"], packages: [] },
  "api/": { ours: ["core/"], node: false, packages: ["@hono/zod-openapi"] },
  "api/api.ts": { ours: ["core/", "api/"], node: false, packages: [] },
  "text/": { ours: ["core/"], node: false, packages: ["get-east-asian-width"] },
  "agents/": { ours: ["core/"], node: false, packages: [] },
  "channels/": { ours: ["core/", "api/api.ts", "text/", "inbox/card/"], node: false, packages: [] },
  "ports.ts": { ours: ["core/", "channel-ports.ts", "beads-port.ts"], node: false, packages: [] },
  "channel-ports.ts": { ours: ["core/"], node: false, packages: [] },
  "store-ports.ts": { ours: ["core/"], node: false, packages: [] },
  "beads-port.ts": { ours: [], node: false, packages: [] },
  "adapters/": {
    ours: ["core/", "ports.ts", "channel-ports.ts", "store-ports.ts", "beads-port.ts"],
    node: true,
    packages: "any",
  },
  "daemon/": {
    ours: [
      "core/",
      "runbook/",
      "agents/",
      "channels/",
      "inbox/card/",
      "mcp/",
      "api/",
      "api/api.ts",
      "config.ts",
      "settings.ts",
      "reach-config/",
      "ports.ts",
      "channel-ports.ts",
      "beads-port.ts",
      "client-settings.ts",
    ],
    node: true,
    packages: http,
  },
  "client/": { ours: ["core/", "api/api.ts"], node: true, packages: [] },
  "inbox/": { ours: ["core/", "api/api.ts", "text/", "inbox/card/"], node: false, packages: [] },
  "inbox/card/": { ours: ["core/", "api/api.ts", "text/"], node: false, packages: [] },
  "cli/": {
    ours: [
      "core/",
      "api/api.ts",
      "text/",
      "client/",
      "inbox/",
      "inbox/card/",
      "mcp/",
      "trial/",
      "store/",
      "config.ts",
      "settings.ts",
      "state-folder.ts",
      "reach-config/",
      "channels/", // what an app of a service is made from
      "client-settings.ts",
      "agents/client-settings.ts",
      "agents/setup.ts",
      "agents/tested-version.ts",
      "agents/known/setups.ts",
    ],
    node: true,
    packages: [],
    except: { "cli/mail/receive.ts": ["adapters/"] },
  },
  "web/": {
    ours: ["core/", "api/api.ts", "text/", "inbox/", "inbox/card/", "client/calls.ts"],
    node: false,
    packages: ["preact", "marked"],
  },
  "mcp/": {
    ours: ["core/", "api/api.ts", "client/"],
    node: true,
    packages: ["zod", "@modelcontextprotocol/server"],
  },
  "trial/": {
    ours: ["core/", "runbook/", "agents/", "api/api.ts", "ports.ts", "daemon/"],
    node: ["trial/main.ts"],
    packages: [],
  },
  "store/": { ours: ["core/", "adapters/", "store-ports.ts"], node: true, packages: [] },
  "sdk/": { ours: ["core/", "api/api.ts", "client/", "config.ts", "settings.ts"], node: true, packages: [] },
  "scripted-agent/": { ours: [], node: true, packages: [] },
  "acp-runner/": { ours: ["scripted-agent/"], node: true, packages: [] }, // it reports and draws as that one does
  "state-folder.ts": { ours: [], node: true, packages: [] },
  "client-settings.ts": { ours: ["agents/client-settings.ts"], node: true, packages: [] },
  "config.ts": { ours: ["agents/known/setups.ts", "settings.ts"], node: true, packages: [] },
  "settings.ts": { ours: ["core/"], node: true, packages: ["smol-toml"] },
  "reach-config/": { ours: ["core/", "config.ts", "settings.ts"], node: true, packages: ["smol-toml"] },
  "version.ts": { ours: [], node: false, packages: [] },
  "code-cache.ts": { ours: [], node: true, packages: [] },
  "main.ts": { ours: ["cli/", "code-cache.ts"], node: true, packages: [] },
  "daemon-start.ts": { ours: ["code-cache.ts"], node: true, packages: [] },
  "daemon-main.ts": {
    ours: [
      "core/",
      "daemon/",
      "adapters/",
      "config.ts",
      "settings.ts",
      "reach-config/",
      "ports.ts",
      "state-folder.ts",
    ],
    node: true,
    packages: [],
  },
};

/**
 * The rooms of a layer, from the ground up: each may import those above it in this list, never one below. "." is what lies in the
 * layer's own folder. A layer that is not named here is one room.
 */
const rooms: Record<string, string[]> = {
  "core/": [
    "roles/", // what people may do, in words
    "model/", // what is recorded
    "model/erased/", // what stays of it where texts were erased
    "model/state/", // how it folds, and what rules read it by
    "text/secrets/", // how secrets look, and where they stand
    "text/",
    "failure/",
    "script/",
    "template/",
    "outbox/",
    "flow/",
    "request/",
    "agent/",
    "control/",
    "rights/", // who may do what
    "decision/",
    "session/",
    "policy/", // rules that answer in a person's place
    "reach/", // people, routes, escalations, notices
    "mirror/", // decisions as beads
    "figures/", // how it is going
    ".", // what is owed, and what is let go
  ],
  "runbook/": ["hcl/", "build/", "checks/", "."],
  "agents/": [
    ".",
    "claude/terminal/",
    "claude/",
    "codex/terminal/",
    "codex/",
    "program/",
    "scripted/",
    "acp/",
    "opencode/",
    "gemini/",
    "known/",
  ],
  "channels/": [
    ".",
    "text/",
    "html/",
    "page/",
    "slack/",
    "mail/",
    "push/",
    "ntfy/",
    "telegram/",
    "webhook/",
    "exec/",
    "tmux/",
  ],
  "adapters/": [
    "system/",
    "audit/",
    "processes/",
    "sqlite/",
    "postgres/",
    "files/",
    "bash/",
    "git/",
    "tmux/",
    "slack/",
    "mime/",
    "smtp/",
    "imap/",
    "beads/",
  ],
  "daemon/": [
    "engine/",
    "secrets/",
    "runbooks/",
    "passkeys/",
    "views/",
    "agents/conversation/",
    "agents/terminal/",
    "agents/hooks/",
    "agents/watch/",
    "agents/chores/",
    "agents/",
    "http/wire/", // between the connection and the routes
    "http/streams/", // what is sent while it happens, and how many may have that at once
    "http/",
    "oidc/", // logging in with a provider
    "sessions/",
    "reach/channel.ts", // what every channel must be able to do
    "reach/push/",
    "reach/webhook/",
    "reach/telegram/",
    "reach/tmux/",
    "reach/slack/",
    "reach/channels/",
    "reach/", // notices that are owed, channels, what comes back
    "beads/", // decisions as beads
    "http/routes/team/",
    "http/routes/decision/",
    "http/routes/",
    "web/",
    ".",
  ],
  "cli/": [
    "servers/",
    "base/",
    "card/",
    "fleet/",
    "history/",
    "figures/",
    "answer/",
    "review/",
    "watch/",
    "owner/",
    "daemon/",
    "init/",
    "decision/",
    "inject/",
    "agent/",
    "job/",
    "crew/",
    "runbook/",
    "mail/",
    "route/",
    "policy/",
    "channel/",
    "machine/",
    "store/",
    "audit/",
    "people/",
    "role/",
    "token/",
    "passkey/",
    "context/",
    "serve/",
    "ssh/",
    "beads/",
    "doctor/",
    "demo/",
    ".",
  ],
  "inbox/": ["card/", ".", "fleet/"],
  "web/": ["style/", "worker/", "base/", "parts/", "decision/", "pages/", "."],
  "scripted-agent/": ["scenario/", "hooks/", "screen/", "."],
  "acp-runner/": ["wire/", "opencode/", "."],
};

/** About twenty: what a newcomer takes in at a glance. Tests beside the files are not counted. */
const maxFiles = 22;

const builtins = new Set(builtinModules);
const everyoneMayImport = ["version.ts"];

/** config.ts reads the environment; the mains pass it on: `loadConfig(process.env, cwd)`. */
const mayReadEnv = [
  "config.ts",
  "main.ts",
  "daemon-start.ts",
  "daemon-main.ts",
  "scripted-agent/main.ts",
  "acp-runner/main.ts",
  "sdk/main.ts",
];

/** What the binary must never load on its way to a command, because it is slow to import. */
const slowToLoad = /^(zod|hono|@hono\/.+)$/;

const maxLines = 350;
const maxLinesOfBusyFiles = 250;
const busyFiles = /^(daemon\/engine\/engine\.ts|daemon\/server\.ts|main\.ts|cli\/.+)$/;

describe("the source", () => {
  const src = readFiles("src");

  it("imports only what each layer may", () => assert.deepEqual(layerProblems(src), []));
  it("has rooms that import only those below them", () => assert.deepEqual(roomProblems(src), []));
  it("has no circle of files", () => assert.deepEqual(circlesOf(arrowsOf(src)), []));
  it("has no circle of rooms", () => assert.deepEqual(circlesOf(roomArrowsOf(src)), []));
  it("has no room too full to look around in", () => assert.deepEqual(fullRooms(src), []));
  it("makes facts in core alone", () => assert.deepEqual(factProblems(src), []));
  it("reads the environment in one place", () => assert.deepEqual(envProblems(src), []));
  it("keeps slow packages off the binary's path", () => assert.deepEqual(startupProblems(src), []));
  it("has only files that can be read in one go", () => assert.deepEqual(sizeProblems(src), []));
});

describe("the specs", () => {
  it("know only the CLI: nothing from src, not even through a helper", () =>
    assert.deepEqual(specProblems(readFiles("test")), []));
});

describe("the layer test itself", () => {
  it("accepts what the table allows", () => {
    const files = {
      "core/flow/order.ts": `import type { JobId } from "../model/ids.ts"; import { version } from "../../version.ts";`,
      "runbook/load.ts": `import fs from "node:fs"; import { Job } from "../core/model/job-types.ts";`,
      "daemon-main.ts": `import { sqliteLog } from "./adapters/sqlite/log.ts"; start(process.env);`,
      "adapters/sqlite/log.ts": `import { DatabaseSync } from "@photostructure/sqlite"; import type { Log } from "../../ports.ts";`,
      "cli/run.ts": `import type { Job } from "../core/model/job-types.ts"; import { connect } from "../client/connect.ts";`,
      "cli/job/wait.ts": `import { follow } from "../owner/follow.ts"; import { command } from "../base/command.ts";`,
      "core/flow/order.test.ts": `import { it } from "vitest"; import assert from "node:assert";`,
    };
    const problems = [layerProblems, roomProblems, envProblems, startupProblems, fullRooms];
    assert.deepEqual(
      problems.flatMap((problemsOf) => problemsOf(files)),
      [],
    );
    assert.deepEqual([...circlesOf(arrowsOf(files)), ...circlesOf(roomArrowsOf(files))], []);
  });

  for (const [name, file, text, problem] of [
    [
      "a core file that reads files",
      "core/text/a.ts",
      `import fs from "node:fs";`,
      "core/text/a.ts imports node:fs",
    ],
    ["a bare node module", "core/text/a.ts", `import fs from "fs";`, "core/text/a.ts imports node:fs"],
    ["a package in core", "core/text/a.ts", `import { z } from "zod";`, "core/text/a.ts imports zod"],
    [
      "a type from a higher layer",
      "core/text/a.ts",
      `import type { E } from "../../daemon/e.ts";`,
      "core/text/a.ts imports daemon/e.ts",
    ],
    [
      "a type written as import()",
      "core/text/a.ts",
      `type E = import("../../daemon/e.ts").E;`,
      "core/text/a.ts imports daemon/e.ts",
    ],
    [
      "a dynamic import",
      "core/text/a.ts",
      `const e = await import("../../daemon/e.ts");`,
      "core/text/a.ts imports daemon/e.ts",
    ],
    [
      "a re-export",
      "core/text/a.ts",
      `export * from "../../daemon/e.ts";`,
      "core/text/a.ts imports daemon/e.ts",
    ],
    [
      "a built-in by call",
      "core/text/a.ts",
      `process.getBuiltinModule("node:net");`,
      "core/text/a.ts imports node:net",
    ],
    [
      "node: outside load.ts",
      "runbook/build/build.ts",
      `import fs from "node:fs";`,
      "runbook/build/build.ts imports node:fs",
    ],
    [
      "an adapter in the engine",
      "daemon/engine/engine.ts",
      `import { a } from "../../adapters/git/a.ts";`,
      "daemon/engine/engine.ts imports adapters/git/a.ts",
    ],
    [
      "an adapter that knows the engine",
      "adapters/git/a.ts",
      `import { e } from "../../daemon/engine/engine.ts";`,
      "adapters/git/a.ts imports daemon/engine/engine.ts",
    ],
    [
      "a command that reaches into the daemon",
      "cli/a.ts",
      `import { e } from "../daemon/engine/engine.ts";`,
      "cli/a.ts imports daemon/engine/engine.ts",
    ],
    [
      "a page that reaches into the command line",
      "web/app.tsx",
      `import { card } from "../cli/card/card.ts";`,
      "web/app.tsx imports cli/card/card.ts",
    ],
    [
      "a test helper in the source",
      "daemon/a.ts",
      `import { f } from "../../test/fakes/f.ts";`,
      "daemon/a.ts imports ../test/fakes/f.ts",
    ],
    [
      "a test file in the source",
      "daemon/a.ts",
      `import { f } from "./b.test.ts";`,
      "daemon/a.ts imports daemon/b.test.ts",
    ],
    ["an import nobody can follow", "cli/a.ts", "await import(name);", "cli/a.ts imports something computed"],
    ["a folder without a layer", "utils/a.ts", "", "utils/a.ts belongs to no layer"],
  ] as const) {
    it(`catches ${name}`, () => assert.deepEqual(layerProblems({ [file]: text }), [problem]));
  }

  it("catches an arrow back up between rooms, also for a type alone", () => {
    const facts = `import type { Draft } from "../agent/agent.ts";`;
    assert.deepEqual(roomProblems({ "core/model/events.ts": facts }), [
      "core/model/events.ts imports core/agent/agent.ts: core/agent/ lies above core/model/",
    ]);
    assert.deepEqual(roomProblems({ "core/flow/a.ts": `await import("../owed.ts");` }), [
      "core/flow/a.ts imports core/owed.ts: core/ lies above core/flow/",
    ]);
    assert.deepEqual(roomProblems({ "core/agent/agent.ts": `import { e } from "../model/events.ts";` }), []);
  });

  it("catches a folder that is no room", () => {
    assert.deepEqual(roomProblems({ "core/helpers/a.ts": "", "client/deep/a.ts": "" }), [
      "core/helpers/a.ts belongs to no room",
      "client/deep/a.ts belongs to no room",
    ]);
  });

  it("catches a circle of files in one room, and shows the way round", () => {
    const files = {
      "core/flow/a.ts": `import { b } from "./b.ts";`,
      "core/flow/b.ts": `import type { C } from "./c.ts";`,
      "core/flow/c.ts": `export { a } from "./a.ts";`,
      "core/flow/d.ts": `import { a } from "./a.ts";`,
    };
    assert.deepEqual(roomProblems(files), []);
    assert.deepEqual(circlesOf(arrowsOf(files)), [
      "core/flow/a.ts → core/flow/b.ts → core/flow/c.ts → core/flow/a.ts",
    ]);
    assert.deepEqual(circlesOf(arrowsOf({ ...files, "core/flow/c.ts": "" })), []);
  });

  it("catches a circle of rooms whose files are in none", () => {
    const files = {
      "client/a.ts": `import { b } from "../api/b.ts";`,
      "api/c.ts": `import type { D } from "../client/d.ts";`,
      "api/b.ts": "",
      "client/d.ts": "",
    };
    assert.deepEqual(circlesOf(arrowsOf(files)), []);
    assert.deepEqual(circlesOf(roomArrowsOf(files)), ["client/ → api/ → client/"]);
  });

  it("catches a room that is too full, and doesn't count tests", () => {
    const files = Object.fromEntries(
      Array.from({ length: maxFiles }, (_, at) => [
        [`core/text/f${at}.ts`, ""],
        [`core/text/f${at}.test.ts`, ""],
      ]).flat(),
    );
    assert.deepEqual(fullRooms(files), []);
    assert.deepEqual(fullRooms({ ...files, "core/text/more.ts": "" }), [
      `core/text/ has ${maxFiles + 1} files, at most ${maxFiles}`,
    ]);
  });

  it("catches a fact that is written, or a draft that is begun, outside core", () => {
    const files = {
      "core/agent/agent.ts": `import { draftOn } from "../model/state/draft.ts"; const fact = { type: "agent:idle", id };`,
      "daemon/a.ts": `import { draftOn } from "../core/model/state/draft.ts";`,
      "daemon/b.ts": `run(() => [{ type: "agent:keyed", id }]);`,
      "daemon/c.ts": `type Created = Extract<Event, { type: "job:created" }>; if (event.type === "agent:idle") go();`,
    };
    assert.deepEqual(factProblems(files), ["daemon/a.ts begins a draft", "daemon/b.ts writes agent:keyed"]);
  });

  it("catches the environment being read elsewhere, in each spelling", () => {
    for (const text of [
      "const home = process.env.HOME;",
      `const home = process["env"].HOME;`,
      "const { env } = process;",
      `import { env } from "node:process";`,
    ])
      assert.deepEqual(envProblems({ "cli/a.ts": text }), ["cli/a.ts reads the environment"]);
    assert.deepEqual(envProblems({ "cli/a.ts": `say("process.env"); // process.env` }), []);
  });

  it("catches a slow package behind several imports, and shows the path", () => {
    const files = {
      "main.ts": `import "./cli/run.ts";`,
      "cli/run.ts": `import { call } from "../client/call.ts";`,
      "client/call.ts": `import { schema } from "../api/schema.ts";`,
      "api/schema.ts": `import { z } from "zod";`,
    };
    assert.deepEqual(startupProblems(files), ["main.ts → cli/run.ts → client/call.ts → api/schema.ts → zod"]);
    assert.deepEqual(
      startupProblems({ ...files, "client/call.ts": `import type { S } from "../api/schema.ts";` }),
      [],
    );
    assert.deepEqual(startupProblems({ ...files, "cli/run.ts": `await import("../client/call.ts");` }), []);
  });

  it("catches long files", () => {
    const lines = (count: number) => "\n".repeat(count);
    const files = {
      "core/a.ts": lines(351),
      "core/b.ts": lines(350),
      "cli/a.ts": lines(251),
      "core/a.test.ts": lines(999),
    };
    assert.deepEqual(sizeProblems(files), [
      "core/a.ts has 351 lines, at most 350",
      "cli/a.ts has 251 lines, at most 250",
    ]);
  });

  it("catches a spec that reaches into src through a helper", () => {
    const files = {
      "specs/a.test.ts": `import { until } from "../fakes/until.ts";`,
      "specs/b.test.ts": `import { fakePorts } from "../fakes/ports.ts";`,
      "fakes/until.ts": "",
      "fakes/ports.ts": `import type { Ports } from "../../src/ports.ts";`,
    };
    assert.deepEqual(specProblems(files), ["specs/b.test.ts → fakes/ports.ts → ../src/ports.ts"]);
  });
});

/** Path relative to src/ (or test/) → text. */
type Files = Record<string, string>;

function layerProblems(files: Files): string[] {
  return sourcesOf(files).flatMap(([file, text]) => {
    const name = layerOf(file);
    const layer = name && layers[name];
    if (!layer) return [`${file} belongs to no layer`];
    return importsOf(file, text).flatMap((found) => {
      const problem = problemOf(found, file, name, layer);
      return problem ? [`${file} imports ${problem}`] : [];
    });
  });
}

function problemOf({ to }: Import, file: string, name: string, layer: Layer): string | undefined {
  if (to === undefined) return "something computed";
  if (to.startsWith("node:")) {
    const allowed = Array.isArray(layer.node) ? layer.node.includes(file) : layer.node;
    return allowed ? undefined : to;
  }
  if (!isOurs(to)) return layer.packages === "any" || layer.packages.includes(packageOf(to)) ? undefined : to;

  const target = to.slice("ours:".length);
  if (target.startsWith("../") || isTest(target)) return target;
  const within = (paths: string[]) =>
    paths.some((path) => target === path || (/^$|\/$/.test(path) && target.startsWith(path)));
  if (within([name, ...layer.ours, ...everyoneMayImport, ...(layer.except?.[file] ?? [])])) return undefined;
  return target;
}

function roomProblems(files: Files): string[] {
  return sourcesOf(files).flatMap(([file, text]) => {
    const from = roomOf(file);
    if (!from) return [`${file} belongs to no room`];
    return importsOf(file, text).flatMap(({ to }) => {
      const target = to !== undefined && isOurs(to) ? to.slice("ours:".length) : null;
      const room = target === null ? undefined : roomOf(target);
      if (target === null || room?.layer !== from.layer || room.height <= from.height) return [];
      return [`${file} imports ${target}: ${room.name} lies above ${from.name}`];
    });
  });
}

interface Room {
  name: string;
  layer: string;
  height: number;
}

/** The room that a file is in; none where it lies in a folder that is no room. */
function roomOf(file: string): Room | undefined {
  const layer = layerOf(file);
  if (layer === undefined) return undefined;
  const inside = file.slice(layer.length);
  const folder = inside.slice(0, inside.lastIndexOf("/") + 1);
  const names = rooms[layer] ?? ["."];
  const found = names.indexOf(inside);
  const height = found >= 0 ? found : names.indexOf(folder === "" ? "." : folder);
  if (height < 0) return undefined;
  return { name: layer + (found >= 0 ? inside : folder), layer, height };
}

type Arrows = Map<string, Set<string>>;

/** Which file imports which, of ours, tests left out. */
function arrowsOf(files: Files): Arrows {
  const arrows: Arrows = new Map();
  for (const [file, text] of sourcesOf(files)) {
    const targets = importsOf(file, text).flatMap(({ to }) =>
      to !== undefined && isOurs(to) ? [to.slice("ours:".length)] : [],
    );
    arrows.set(file, new Set(targets.filter((it) => it !== file)));
  }
  return arrows;
}

function roomArrowsOf(files: Files): Arrows {
  const nameOfRoom = (file: string) => roomOf(file)?.name ?? file;
  const arrows: Arrows = new Map();
  for (const [file, targets] of arrowsOf(files)) {
    const from = nameOfRoom(file);
    const all = arrows.get(from) ?? new Set();
    for (const to of targets) if (nameOfRoom(to) !== from) all.add(nameOfRoom(to));
    arrows.set(from, all);
  }
  return arrows;
}

/** One way round for each place where the arrows lead back to. */
function circlesOf(arrows: Arrows): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (at: string, way: string[]) => {
    const before = way.indexOf(at);
    if (before >= 0) circles.push([...way.slice(before), at].join(" → "));
    if (before >= 0 || done.has(at)) return;
    for (const to of arrows.get(at) ?? []) visit(to, [...way, at]);
    done.add(at);
  };
  for (const start of arrows.keys()) visit(start, []);
  return circles;
}

function fullRooms(files: Files): string[] {
  const counts = new Map<string, number>();
  for (const [file] of sourcesOf(files)) {
    const name = roomOf(file)?.name ?? file;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].flatMap(([name, count]) =>
    count > maxFiles ? [`${name} has ${count} files, at most ${maxFiles}`] : [],
  );
}

/** Rules live in core: whoever else wants something recorded calls one. */
function factProblems(files: Files): string[] {
  return sourcesOf(files)
    .filter(([file]) => !file.startsWith("core/"))
    .flatMap(([file, text]) => {
      const drafts = importsOf(file, text).some(
        ({ to, kind }) => to === "ours:core/model/state/draft.ts" && kind !== "type",
      );
      return [...(drafts ? [`${file} begins a draft`] : []), ...factsIn(file, text)];
    });
}

function factsIn(file: string, text: string): string[] {
  const found: string[] = [];
  walk(parse(file, text), (node) => {
    if (node.type !== "Property" || nameOf(node.key) !== "type") return;
    const type = literalOf(node.value) ?? "";
    if (/^(decision|job|step|agent|crew|session|inject|effect):/.test(type))
      found.push(`${file} writes ${type}`);
  });
  return found;
}

function envProblems(files: Files): string[] {
  const readers = sourcesOf(files).filter(
    ([file, text]) => !mayReadEnv.includes(file) && readsEnv(file, text),
  );
  return readers.map(([file]) => `${file} reads the environment`);
}

function startupProblems(files: Files): string[] {
  return waysFrom(files, ["main.ts"], ["static"], (to) => slowToLoad.test(packageOf(to)));
}

function sizeProblems(files: Files): string[] {
  return sourcesOf(files).flatMap(([file, text]) => {
    const lines = text.split("\n").length - 1;
    const most = busyFiles.test(file) ? maxLinesOfBusyFiles : maxLines;
    return lines > most ? [`${file} has ${lines} lines, at most ${most}`] : [];
  });
}

function specProblems(files: Files): string[] {
  const specs = Object.keys(files).filter((file) => file.startsWith("specs/"));
  return waysFrom(files, specs, ["static", "dynamic", "type"], (to) => to.startsWith("ours:../src/"));
}

/** Follows imports of the given kinds from each start, and spells out the paths that end in something bad. */
function waysFrom(files: Files, starts: string[], kinds: Kind[], isBad: (to: string) => boolean): string[] {
  const ways: string[] = [];
  for (const start of starts) {
    const seen = new Set<string>();
    const visit = (file: string, way: string[]) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const { to, kind } of importsOf(file, files[file] ?? "")) {
        if (to === undefined || !kinds.includes(kind)) continue;
        const target = to.replace(/^ours:/, "");
        if (isBad(to)) ways.push([...way, target].join(" → "));
        else if (isOurs(to)) visit(target, [...way, target]);
      }
    };
    visit(start, [start]);
  }
  return ways;
}

type Kind = "static" | "dynamic" | "type";

/** `to` is `node:x`, a package, `ours:` + a path relative to the root of the files, or undefined when computed. */
interface Import {
  to: string | undefined;
  kind: Kind;
}

/** A file is parsed once, however many tests look at it. */
const trees = new Map<string, unknown>();
const known = new Map<string, Import[]>();

function importsOf(file: string, text: string): Import[] {
  return once(known, `${file}\n${text}`, () => parseImports(file, text));
}

function once<T>(made: Map<string, T>, key: string, make: () => T): T {
  const it = made.get(key) ?? make();
  made.set(key, it);
  return it;
}

function parseImports(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (kind: Kind, source: unknown) => found.push({ kind, to: targetOf(file, literalOf(source)) });
  walk(parse(file, text), (node) => {
    const { source } = node;
    switch (node.type) {
      case "ImportDeclaration":
        add(node.importKind === "type" ? "type" : "static", source);
        break;
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        if (source) add(node.exportKind === "type" ? "type" : "static", source);
        break;
      case "ImportExpression":
        add("dynamic", source);
        break;
      case "TSImportType":
        add("type", source);
        break;
      case "CallExpression":
        if (isRequire(node.callee)) add("dynamic", (node.arguments as unknown[])[0]);
        break;
    }
  });
  return found;
}

function targetOf(file: string, specifier: string | undefined): string | undefined {
  if (specifier?.startsWith(".")) return `ours:${path.posix.join(path.posix.dirname(file), specifier)}`;
  return specifier && builtins.has(specifier) ? `node:${specifier}` : specifier;
}

function readsEnv(file: string, text: string): boolean {
  let found = false;
  walk(parse(file, text), (node) => {
    if (node.type === "MemberExpression" && nameOf(node.object) === "process")
      found ||= (nameOf(node.property) ?? literalOf(node.property)) === "env";
    if (node.type === "VariableDeclarator" && nameOf(node.init) === "process" && isNode(node.id))
      found ||= node.id.type === "ObjectPattern";
    if (node.type === "ImportDeclaration") found ||= /^(node:)?process$/.test(literalOf(node.source) ?? "");
  });
  return found;
}

interface Node {
  type: string;
  [field: string]: unknown;
}

function parse(file: string, text: string): unknown {
  return once(trees, `${file}\n${text}`, () => {
    const { program, errors } = parseSync(file, text);
    if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
    return program;
  });
}

function walk(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, see);
  if (!isNode(value)) return;
  see(value);
  for (const field of Object.values(value)) if (typeof field === "object") walk(field, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function isRequire(callee: unknown): boolean {
  if (nameOf(callee) === "require") return true;
  return (
    isNode(callee) && callee.type === "MemberExpression" && nameOf(callee.property) === "getBuiltinModule"
  );
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === "Identifier" ? String(node.name) : undefined;
}

function literalOf(node: unknown): string | undefined {
  return isNode(node) && typeof node.value === "string" ? node.value : undefined;
}

function isOurs(to: string): boolean {
  return to.startsWith("ours:");
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function packageOf(to: string): string {
  return to.split("/", to.startsWith("@") ? 2 : 1).join("/");
}

function layerOf(file: string): string | undefined {
  const matches = Object.keys(layers).filter(
    (name) => file === name || (name.endsWith("/") && file.startsWith(name)),
  );
  return matches.sort((a, b) => b.length - a.length)[0];
}

/** Tests beside the source may import what they like. */
function sourcesOf(files: Files): [string, string][] {
  return Object.entries(files).filter(([file]) => !isTest(file));
}

function readFiles(folder: string): Files {
  const root = path.join(import.meta.dirname, "..", folder);
  const names = fs
    .readdirSync(root, { encoding: "utf8", recursive: true })
    .filter((name) => /\.tsx?$/.test(name));
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(root, name), "utf8")]));
}
