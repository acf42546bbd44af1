/**
 * `npm run record`: records the tour (`oj demo`) in a real terminal, as an animated SVG for the README. Text and CSS
 * alone: no script, no fonts, and a still picture for those who don't want motion.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setup } from "./setup.mjs";
import { colours, rowsOf, sizeOf, strip, textOf, windowOf } from "./terminal-svg.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = path.join(root, "docs/pictures/tour.svg");
const size = { columns: 100, rows: 30 };
const SECONDS = 15;

/** @typedef {{ lines: string[], key: string, weight: number }} Frame */

await setup();
const place = fs.mkdtempSync(path.join(os.tmpdir(), "oj-record-"));
const env = {
  HOME: place,
  USER: "ana",
  PATH: process.env.PATH,
  LANG: "C.UTF-8",
  TERM: "xterm-256color",
  TMPDIR: place,
};
const tmux = (/** @type {string[]} */ ...args) => {
  const { status, stdout, stderr } = spawnSync(
    "tmux",
    ["-u", "-f", "/dev/null", "-S", path.join(place, "tmux"), ...args],
    { env, cwd: place, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`tmux ${args.join(" ")} failed: ${stderr}`);
  return stdout;
};

try {
  const frames = await play();
  const svg = animate(frames);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, svg);
  console.log(`docs/pictures/tour.svg  ${frames.length} frames, ${Math.round(svg.length / 1024)} kB`);
} finally {
  spawnSync("tmux", ["-S", path.join(place, "tmux"), "kill-server"]);
  for (let tries = 0; fs.readdirSync(place).some((it) => it.startsWith("oj-demo-")) && tries < 100; tries++)
    await sleep(100); // the tour removes itself
  fs.rmSync(place, { recursive: true, force: true });
}

/** Takes the tour, and remembers each screen for as long as somebody needs to read it. */
async function play() {
  /** @type {Frame[]} */
  const frames = [];
  const shoot = (/** @type {number} */ weight, key = "") => {
    const lines = screen();
    const last = frames.at(-1);
    if (last?.key === key && last.lines.join("\n") === lines.join("\n")) last.weight += weight;
    else frames.push({ lines, key, weight });
  };
  /** Takes pictures of what changes until the screen shows it. @param {RegExp} what  @param {number} weight */
  const until = async (what, weight) => {
    for (let tries = 0; tries < 600; tries++) {
      const lines = screen();
      if (what.test(lines.map(strip).join("\n"))) return;
      if (lines.join("\n") !== frames.at(-1)?.lines.join("\n")) shoot(weight);
      await sleep(100);
    }
    throw new Error(`the tour did not show ${what}:\n${screen().map(strip).join("\n")}`);
  };

  const oj = `'${process.execPath}' '${path.join(root, "dist/oj.cjs")}'`;
  const { columns, rows } = size;
  const shell = `oj() { ${oj} "$@"; }; PS1='\\[\\e[36m\\]~/shop\\[\\e[0m\\] $ '`;
  fs.writeFileSync(path.join(place, "rc"), shell);
  tmux(
    "new-session",
    "-d",
    "-x",
    String(columns),
    "-y",
    String(rows),
    `bash --noprofile --rcfile ${place}/rc`,
  );
  await until(/shop \$/, 0);
  frames.length = 0;
  tmux("send-keys", "-l", "oj demo");
  await until(/oj demo/, 0);
  shoot(0.8);
  tmux("send-keys", "Enter");
  await until(/Step 1 of 4/, 0.3);
  for (const step of [1, 2, 3, 4]) {
    await until(new RegExp(`Step ${step} of 4 .*press \\d`), 0.2);
    const [, number = "1"] =
      new RegExp(`Step ${step} of 4 .*press (\\d)`).exec(screen().map(strip).join("\n")) ?? [];
    shoot(1.5);
    tmux("send-keys", number);
    await until(/Enter sends/, 0.1);
    shoot(0.7, number);
    tmux("send-keys", "Enter");
    await until(/Step \d of 4 .*press|All answered/, 0.1);
    shoot(0.3, "Enter");
  }
  shoot(0.5);
  await until(/another key {2}ends the tour/, 0.25);
  shoot(3);
  tmux("send-keys", "x");
  return frames;
}

function screen() {
  return tmux("capture-pane", "-p", "-e").replace(/\n$/, "").replaceAll(place, "/tmp").split("\n");
}

/** Every line is drawn once, and shown in the frames that have it. */
function animate(/** @type {Frame[]} */ frames) {
  const all = frames.reduce((sum, it) => sum + it.weight, 0);
  let at = 0;
  const starts = frames.map(({ weight }) => {
    const start = at / all;
    at += weight;
    return start;
  });
  /** What is drawn, with the frames that show it. @type {Map<string, number[]>} */
  const drawn = new Map();
  for (const [n, { lines, key }] of frames.entries()) {
    const rows = rowsOf(lines).map((runs, row) => runs.map((it) => textOf(it, row)).join(""));
    for (const it of [...rows, keycap(key)]) if (it !== "") drawn.set(it, [...(drawn.get(it) ?? []), n]);
  }
  /** What is shown at the same times moves together. @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [it, shown] of drawn) groups.set(shown.join(), [...(groups.get(shown.join()) ?? []), it]);
  const still = stillOf(frames);
  /** @type {string[]} */
  const styles = [];
  /** @type {string[]} */
  const content = [];
  for (const [shown, parts] of groups) {
    const numbers = shown.split(",").map(Number);
    const name = /** @type {string} */ (`f${styles.length}`);
    const steps = keyframes(numbers, starts);
    styles.push(
      `@keyframes ${name}{${steps}}.${name}{visibility:${numbers.includes(still) ? "visible" : "hidden"};animation:${name} ${SECONDS}s step-end infinite}`,
    );
    content.push(`<g class="${name}">${parts.join("")}</g>`);
  }
  const calm = "@media (prefers-reduced-motion: reduce){g{animation:none!important}}";
  const text = frames[still]?.lines.map(strip).join("\n") ?? "";
  return windowOf(
    { title: "oj demo", ...size, text, style: `${styles.join("")}${calm}` },
    content.join("\n"),
  );
}

/** When to show it and when to hide it. @param {number[]} shown  @param {number[]} starts */
function keyframes(shown, starts) {
  const states = starts.map((_, n) => shown.includes(n));
  return states
    .map((isOn, n) => ({ isOn, n }))
    .filter(({ isOn, n }) => n === 0 || isOn !== states[n - 1])
    .map(
      ({ isOn, n }) => `${((starts[n] ?? 0) * 100).toFixed(2)}%{visibility:${isOn ? "visible" : "hidden"}}`,
    )
    .join("");
}

/** The frame to show without motion: a command that somebody is about to allow. @param {Frame[]} frames */
function stillOf(frames) {
  return frames.findIndex(({ lines }) => lines.some((it) => /needs your yes: press/.test(strip(it))));
}

/** The key that was just pressed, in the corner of the window's bar. */
function keycap(/** @type {string} */ key) {
  if (key === "") return "";
  const { width } = sizeOf(size.columns, size.rows);
  const wide = key.length * 9 + 18;
  const x = width - wide - 12;
  return `<rect x="${x}" y="5" width="${wide}" height="23" rx="5" fill="${colours.text}"/><text x="${x + wide / 2}" y="21" text-anchor="middle" style="font-weight:700;fill:${colours.window}">${key}</text>`;
}
