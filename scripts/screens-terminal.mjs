/** The terminal's inbox, screen by screen: what tmux shows, drawn in light and in dark. */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { terminalOf } from "./picture-stage.mjs";
import { colours, rowsOf, strip, textOf, windowOf } from "./terminal-svg.mjs";

/** @typedef {import("./picture-stage.mjs").Terminal} Terminal */
/** @typedef {{ columns: number, rows: number }} Size */
/** @typedef {{ stage: import("./picture-stage.mjs").Stage, browser: import("playwright-core").Browser, out: string, isEmpty: boolean }} Given */
/** @typedef {(name: string) => Promise<void>} Shoot */

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 50 },
];
const SMALL = [
  { columns: 60, rows: 20 },
  { columns: 36, rows: 9 },
];

/** The same colours on paper. */
const LIGHT = {
  window: "#ffffff",
  bar: "#f6f8fa",
  border: "#d1d9e0",
  text: "#1f2328",
  title: "#59636e",
  31: "#cf222e",
  32: "#116329",
  33: "#7d4e00",
  34: "#0969da",
  35: "#8250df",
  36: "#1b7c83",
};

/** @param {Given} given */
export async function terminalScreens(given) {
  for (const size of given.isEmpty ? [SIZES[0] ?? SMALL[0]] : [...SIZES, ...SMALL])
    if (size) await watch(given, size);
  if (!given.isEmpty) for (const size of SIZES.slice(0, 2)) await commands(given, size);
}

/** @param {Given} given  @param {Size} size */
async function watch(given, size) {
  const terminal = terminalOf(given.stage, size, "oj decision watch; sleep 600");
  const shoot = shooter(given, size, terminal);
  try {
    await rests(terminal);
    if (given.isEmpty) return await shoot("watch-empty");
    await shoot("watch-list");
    if (size.rows < 24) return;
    for (let row = 2; row <= rowsIn(given); row++) {
      await pressed(terminal, "j");
      await shoot(`watch-card-${String(row).padStart(2, "0")}`);
    }
    await filtered(terminal, "publish");
    await pressed(terminal, "1");
    await shoot("watch-chosen");
    await pressed(terminal, "Escape", "e");
    await shoot("watch-whole");
    await pressed(terminal, "q", "s");
    await shoot("watch-unfolded");
    await pressed(terminal, "d");
    await shoot("watch-dismiss");
    await pressed(terminal, "Escape", "p");
    await shoot("watch-peek");
    await pressed(terminal, "Escape");
    await filtered(terminal, "no such words");
    await shoot("watch-no-match");
    await filtered(terminal, "rename the basket as well");
    await pressed(terminal, "t");
    terminal.type("Yes, and its tests.");
    await shoot("watch-reply");
    await pressed(terminal, "Escape");
    await filtered(terminal, "lint");
    await shoot("watch-group");
    await pressed(terminal, "1", "Enter");
    await shoot("watch-together");
    await pressed(terminal, "Escape", "M");
    await shoot("watch-marked");
    await pressed(terminal, "M", "a", "?");
    await shoot("watch-help");
    await pressed(terminal, "q", "f");
    await shoot("watch-fleet");
    await pressed(terminal, "G");
    await shoot("watch-fleet-last");
    await pressed(terminal, "q", "c");
    await shoot("watch-start");
  } finally {
    terminal.close();
  }
}

/** @param {Given} given  @param {Size} size */
async function commands(given, size) {
  const ids = JSON.parse(given.stage.oj("decision", "list", "-o", "json"));
  const shows = ids.map((/** @type {{ id: string, source: string }} */ it, /** @type {number} */ at) => [
    `show-${String(at + 1).padStart(2, "0")}-${it.source}`,
    `oj decision show ${it.id}`,
  ]);
  const all = [
    ["status", "oj status"],
    ["list", "oj decision list"],
    ["history", "oj decision list --all"],
    ["stats", "oj stats"],
    ["help", "oj --help"],
    ...shows,
  ];
  for (const [name = "", command] of all) {
    const terminal = terminalOf(given.stage, { ...size, rows: 70 }, `${command}; sleep 600`);
    await rests(terminal);
    const lines = terminal.lines("-e");
    await draw(given, `oj-${name}`, { columns: size.columns, rows: lines.length }, lines);
    terminal.close();
  }
}

/** One by one: a key right after Escape would be read as Alt and that key. @param {Terminal} terminal  @param {string[]} keys */
async function pressed(terminal, ...keys) {
  for (const it of keys) {
    terminal.press(it);
    await sleep(100);
  }
}

/** @param {Terminal} terminal  @param {string} words */
async function filtered(terminal, words) {
  await pressed(terminal, "a", "/", "C-u");
  terminal.type(words);
  terminal.press("Enter");
  await rests(terminal);
}

/** @param {Given} given */
function rowsIn({ stage }) {
  const { length } = JSON.parse(stage.oj("decision", "list", "-o", "json"));
  return Math.min(length, 26);
}

/** @param {Given} given  @param {Size} size  @param {Terminal} terminal  @returns {Shoot} */
function shooter(given, size, terminal) {
  return async (name) => draw(given, name, size, await rests(terminal));
}

/** Until it has shown the same for a while: nothing is on its way any more. @param {Terminal} terminal */
async function rests(terminal) {
  let before = "";
  for (let same = 0, tries = 0; same < 4 && tries < 100; tries++) {
    await sleep(100);
    const now = terminal
      .lines()
      .join("\n")
      .replace(/\d+ ?s\b/g, "");
    same = now === before && now.trim() !== "" ? same + 1 : 0;
    before = now;
  }
  return terminal.lines("-e");
}

/** @param {Given} given  @param {string} name  @param {Size} size  @param {string[]} lines */
async function draw({ browser, out }, name, size, lines) {
  const rows = rowsOf(lines).map((runs, row) => runs.map((it) => textOf(it, row)).join(""));
  const dark = windowOf({ title: name, ...size, text: lines.map(strip).join("\n") }, rows.join("\n"));
  const keys = /** @type {(keyof typeof colours)[]} */ (Object.keys(colours));
  const light = keys.reduce((svg, key) => svg.replaceAll(colours[key], LIGHT[key]), dark);
  const file = (/** @type {string} */ scheme) =>
    path.join(out, `${name}.${size.columns}x${name.startsWith("oj-") ? "" : size.rows}.${scheme}.png`);
  fs.writeFileSync(file("text").replace(/\.png$/, ".txt"), `${lines.map(strip).join("\n")}\n`);
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  for (const [scheme, svg] of Object.entries({ light, dark })) {
    await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
    await page.locator("svg").screenshot({ path: file(scheme) });
  }
  await page.close();
}
