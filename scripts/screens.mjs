/**
 * `npm run screens [-- --dist DIR] [--out DIR] [--only web|terminal]`: every page and screen of the two inboxes, with
 * decisions of every source, at every size, in light and dark, as PNG files in one folder with an index. `--dist` takes
 * them from another build, to compare before and after; what that build doesn't have is left out.
 */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { root, stageOf } from "./picture-stage.mjs";
import { agentsOf, files, PARTS_OF, programs, scenario } from "./screens-cast.mjs";
import { terminalScreens } from "./screens-terminal.mjs";
import { webScreens } from "./screens-web.mjs";
import { setup } from "./setup.mjs";

/** @typedef {import("./picture-stage.mjs").Stage} Stage */

const { values } = parseArgs({
  options: {
    dist: { type: "string", default: path.join(root, "dist") },
    out: { type: "string", default: path.join(root, "node_modules/.cache/oddjobs/screens") },
    only: { type: "string" },
  },
});
const dist = path.resolve(values.dist);
const out = path.resolve(values.out);

await setup({ browser: true });
fs.mkdirSync(out, { recursive: true });
const knowsHung = ["daemon.cjs", "daemon-main.cjs"]
  .map((it) => path.join(dist, it))
  .some((it) => fs.existsSync(it) && fs.readFileSync(it, "utf8").includes("hung_after"));
const stage = stageOf({
  dist,
  programs,
  scenario,
  files: { ...files, ".oj/runbooks/agents.hcl": agentsOf(knowsHung) },
  settings: "[undo]\nweb_s = 600\nwatch_s = 600\n",
});
const { chromium } = await import("playwright-core");
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
try {
  const empty = { stage, browser, out, isEmpty: true };
  if (values.only !== "web") await terminalScreens(empty);
  if (values.only !== "terminal") await webScreens(empty);
  await play(stage);
  const full = { ...empty, isEmpty: false };
  if (values.only !== "web") await terminalScreens(full);
  if (values.only !== "terminal") await webScreens(full); // the last: it ends without a daemon
  index();
} finally {
  await browser.close();
  stage.end();
}

/** Until every job has asked, failed or hangs, and some are answered. @param {Stage} it */
async function play({ oj, run, project }) {
  const git = (/** @type {string[]} */ ...words) =>
    run("git", ["-c", "user.name=Ana", "-c", "user.email=ana@localhost", ...words]);
  git("init", "--quiet");
  for (const message of ["Shop with a cart", "Count prices in the cart"]) {
    fs.appendFileSync(path.join(project, "NOTES.md"), `${message}\n`);
    git("add", "-A");
    git("commit", "--quiet", "-m", message);
  }
  const ask = (/** @type {string[]} */ ...words) => oj("decision", "request", ...words).trim();
  const yes = ["--option", "Yes", "--option", "No"];
  for (const name of ["Ship 1.1?", "Rename the basket?", "Drop Node 18?"])
    oj("decision", "resolve", ask("--as", "builder", "--prompt", name, ...yes), "1", "-m", "go ahead");
  oj("decision", "cancel", ask("--as", "docs-agent", "--prompt", "Which tone for the README?", ...yes));
  const queue = ["--option", "Redis: quick, one more thing to run", "--option", "Postgres: already there"];
  ask("--as", "builder", "--prompt", "Which mail queue?", "--context", "Mails wait up to 9 s.", ...queue);
  ask("--as", "docs-agent", "--prompt", "Rename the basket?", "--urgency", "low", ...yes);
  oj("run", "release", "1.4.0");
  oj("run", "nightly");
  for (const name of Object.keys(PARTS_OF)) oj("run", name);
  const expected = Object.keys(PARTS_OF).length - 1 - (knowsHung ? 0 : 1) + 3; // all but the one at work
  for (let tries = 0; JSON.parse(oj("decision", "list", "-o", "json")).length < expected; tries++) {
    if (tries > 300) throw new Error(`not all have asked:\n${oj("decision", "list")}`);
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** All of them on one page, in the order of their names. */
function index() {
  const names = fs.readdirSync(out).filter((it) => it.endsWith(".png"));
  const figures = names.map(
    (it) =>
      `<figure><a href="${it}"><img src="${it}" loading="lazy"></a><figcaption>${it}</figcaption></figure>`,
  );
  const style =
    "body{font:13px sans-serif;display:flex;flex-wrap:wrap;gap:16px}img{width:440px}figure{margin:0}";
  const page = `<!doctype html><title>Screens</title><style>${style}</style>${figures.join("\n")}`;
  fs.writeFileSync(path.join(out, "index.html"), page);
  console.log(`${names.length} screens: ${path.join(out, "index.html")}`);
}
