/**
 * `node scripts/slack-picture.mjs`: docs/pictures/slack.png, from what the real `oj` sends to the tests' fake of Slack. A
 * scripted agent asks for a permission, and it is given by a click.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setup } from "./setup.mjs";

/** @typedef {import("../test/fakes/servers/slack.ts").Message} Message */

const root = fileURLToPath(new URL("..", import.meta.url));
const place = fs.mkdtempSync(path.join(os.tmpdir(), "oj-slack-picture-"));
const project = path.join(place, "shop");
const env = { HOME: place, USER: "ana", PATH: `${place}/bin:${process.env.PATH}`, LANG: "C.UTF-8" };

await setup({ browser: true });
const slack = await startSlack();
try {
  makeProject();
  oj("run", "publish");
  const card = await until(() => slack.cards()[0]);
  await until(() => slack.connected() > 0);
  const before = structuredClone(card);
  await slack.click(card, "Approve", "U0ANA");
  await until(() => JSON.stringify(card).includes("acknowledged"));
  await until(() => slack.thread(card).length > 0);
  await photograph([before, card, ...slack.thread(card)]);
} finally {
  spawnSync("oj", ["daemon", "stop"], { env, cwd: project });
  spawnSync("tmux", ["-S", path.join(place, ".local/state/oj/tmux.sock"), "kill-server"], { env });
  await slack.close();
  fs.rmSync(place, { recursive: true, force: true });
}

async function startSlack() {
  const { build } = await import("esbuild");
  const outfile = path.join(root, "node_modules/.cache/oddjobs/fake-slack.mjs");
  const entry = path.join(root, "test/fakes/servers/slack.ts");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  const { fakeSlack } = await import(pathToFileURL(outfile).href);
  return /** @type {import("../test/fakes/servers/slack.ts").FakeSlack} */ (await fakeSlack());
}

function makeProject() {
  const write = (/** @type {string} */ name, /** @type {string} */ text, mode = 0o600) => {
    fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    fs.writeFileSync(path.join(place, name), text, { mode });
  };
  const node = process.execPath;
  write("bin/oj", `#!/bin/sh\nexec '${node}' '${root}/dist/oj.cjs' "$@"\n`, 0o755);
  const play = `'${root}/dist/oj-agent.cjs' --scenario '${place}/scenario.json'`;
  write("bin/claude", `#!/bin/sh\nexec '${node}' ${play} "$@"\n`, 0o755);
  const publish = { command: "npm publish --tag latest", description: "Publish 1.4.0" };
  const steps = [{ say: "All 42 tests pass." }, { tool: "Bash", input: publish }, { signal: "done" }];
  write("scenario.json", JSON.stringify({ turns: [steps] }));
  write(
    "shop/.oj/runbooks/publish.hcl",
    `command "publish" { run = { job = "publish" } }
job "publish" { step "build" { run = { agent = "publisher" } } }
agent "publisher" {
  run    = "claude"
  prompt = "Publish version 1.4.0."
}
`,
  );
  write(".config/oj/bot", slack.tokens.bot);
  write(".config/oj/app", slack.tokens.app);
  write(
    ".config/oj/config.toml",
    `[person.ana]
slack = "U0ANA"
[channel.slack]
bot_token_file = "bot"
app_token_file = "app"
channel = "C0DECISIONS"
api_url = "${slack.apiUrl}"
[[route]]
notify = ["ana"]
via = ["slack"]
`,
  );
}

/** @param {Message[]} messages */
async function photograph(messages) {
  const { chromium } = await import("playwright-core");
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
  try {
    const page = await browser.newPage({ viewport: { width: 760, height: 400 }, deviceScaleFactor: 2 });
    await page.setContent(pageOf(messages));
    const file = path.join(root, "docs/pictures/slack.png");
    await page.screenshot({ path: file, fullPage: true });
    console.error(file);
  } finally {
    await browser.close();
  }
}

/** @param {Message[]} messages */
function pageOf(messages) {
  const style = `body { font: 15px/1.45 system-ui, sans-serif; color: #1d1c1d; margin: 16px; }
article { border-left: 4px solid #ddd; padding: 2px 14px 8px; margin-bottom: 18px; }
article.thread { margin-left: 40px; } h3 { margin: 6px 0; font-size: 18px; } p { margin: 6px 0; white-space: pre-wrap; }
small { color: #616061; display: block; margin: 6px 0; } div { margin: 8px 0; }
b { font-weight: 600; border: 1px solid #bbb; border-radius: 4px; padding: 5px 11px; margin-right: 8px; display: inline-block; margin-bottom: 6px; }
b.primary { background: #007a5a; color: white; border-color: #007a5a; } b.danger { color: #e01e5a; border-color: #e01e5a; }
header { font-weight: 700; } header i { font-weight: 400; color: #616061; font-style: normal; font-size: 12px; }`;
  const articles = messages.map(
    (it) =>
      `<article class="${it.thread_ts ? "thread" : ""}"><header>oj <i>APP</i></header>${it.blocks.map(blockOf).join("")}</article>`,
  );
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${articles.join("")}`;
}

/** @param {any} block */
function blockOf(block) {
  const text = (/** @type {any} */ it) =>
    it.text.replace(/[&<>]/g, (/** @type {string} */ c) => `&#${c.charCodeAt(0)};`);
  switch (block.type) {
    case "header":
      return `<h3>${text(block.text)}</h3>`;
    case "section":
      return `<p>${text(block.text)}</p>`;
    case "context":
      return block.elements.map((/** @type {any} */ it) => `<small>${text(it)}</small>`).join("");
    default:
      return `<div>${block.elements.map((/** @type {any} */ it) => `<b class="${it.style ?? ""}">${text(it.text)}</b>`).join("")}</div>`;
  }
}

/** @template T  @param {() => T | false | null | undefined} ask  @returns {Promise<T>} */
async function until(ask) {
  for (let tries = 0; tries < 1200; tries++) {
    const found = ask();
    if (found) return found;
    await sleep(50);
  }
  throw new Error(`it did not happen: ${ask}`);
}

function oj(/** @type {string[]} */ ...args) {
  const { status, stdout, stderr } = spawnSync("oj", args, { env, cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(`oj ${args.join(" ")} failed: ${stdout}${stderr}`);
  return stdout;
}
