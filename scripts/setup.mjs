/**
 * Prepares a fresh clone: Node version, packages, system programs, dist/. It costs nothing if everything is in place.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Program → Debian package. */
const programs = { git: "git", bash: "bash", curl: "curl", tmux: "tmux" };

const root = fileURLToPath(new URL("..", import.meta.url));

export async function setup({ build = true, browser = false } = {}) {
  checkNode();
  installPrograms();
  if (browser) {
    installBrowser();
    installServices();
  }
  if (!packagesAreInstalled()) await alone(() => packagesAreInstalled() || installPackages());
  if (!build) return;
  const { buildIfChanged } = await import("./build.mjs");
  await buildIfChanged();
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 15))
    stop(`oddjobs needs Node 20.15 or newer; this is ${process.version}.`);
}

function installPrograms() {
  const missing = Object.entries(programs).filter(([program]) => !isOnPath(program));
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name);
  const isDebian = fs.existsSync("/etc/debian_version") && isOnPath("apt-get");
  if (!isDebian || process.getuid?.() !== 0) {
    const how = isDebian ? `\n  → sudo apt-get install ${names.join(" ")}` : "";
    stop(`these programs are needed and not installed: ${names.join(", ")}${how}`);
  }
  say(`installing ${names.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], env);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], env);
}

/** Program → Debian package: real servers and tools for the tests of channels. Without one, its tests are skipped. */
const services = {
  smtpd: "opensmtpd",
  dovecot: "dovecot-imapd",
  swaks: "swaks",
  "firefox-esr": "firefox-esr",
  promtool: "prometheus",
  faketime: "faketime",
  pg_ctlcluster: "postgresql",
  pgbouncer: "pgbouncer",
};

/** Installs what it can; the packages must not start their own servers here. */
function installServices() {
  const missing = Object.entries(services).filter(([program]) => !isOnPath(program));
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name);
  if (!fs.existsSync("/etc/debian_version") || process.getuid?.() !== 0)
    return say(`not installed: ${names.join(", ")}; the tests that need them are skipped`);
  say(`installing ${names.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  spawnSync("apt-get", ["update", "-qq"], { env, stdio: ["ignore", 2, 2] });
  for (const name of names) {
    const args = ["install", "-y", "-qq", "--no-install-recommends", name];
    const { status } = spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] });
    if (status !== 0) say(`${name} can't be installed: the tests that need it are skipped`);
  }
}

/**
 * Installs the browser for the tests of the web inbox. If that fails they are skipped, and this says why. Its shell
 * without windows takes less time; where there is none, they drive the whole browser.
 */
function installBrowser() {
  if (isOnPath("chromium-headless-shell")) return;
  const isThere = isOnPath("chromium");
  if (!fs.existsSync("/etc/debian_version") || process.getuid?.() !== 0)
    return isThere || say("chromium is not installed: the tests of the web inbox are skipped");
  say("installing chromium");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  /** @param {string[]} args */
  const apt = (...args) => spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] }).status === 0;
  apt("update", "-qq");
  const install = ["install", "-y", "-qq", "--no-install-recommends"];
  if (!isThere && !apt(...install, "chromium", "fonts-dejavu-core"))
    return say("chromium can't be installed: the tests of the web inbox are skipped");
  if (!apt(...install, "chromium-headless-shell")) say("the tests of the web inbox drive the whole chromium");
}

/** @param {string} program */
function isOnPath(program) {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin"];
  return folders.some((folder) => folder !== "" && fs.existsSync(path.join(folder, program)));
}

/**
 * Compares package-lock.json with npm's own note of what is installed. npm writes that note last, so an
 * interrupted install counts as missing, and a manual `npm install` as done.
 */
function packagesAreInstalled() {
  const installed = lockedVersions("node_modules/.package-lock.json");
  const wanted = lockedVersions("package-lock.json");
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === "" || (installed[name]?.version ?? (optional && version)) === version,
  );
}

/** @param {string} file  @returns {Record<string, { version: string, optional?: boolean }>} */
function lockedVersions(file) {
  const full = path.join(root, file);
  return fs.existsSync(full) ? JSON.parse(fs.readFileSync(full, "utf8")).packages : {};
}

function installPackages() {
  say("installing packages");
  run("npm", ["ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund"], process.env);
}

/**
 * Runs `work` while holding the lock file, so that two runs in one folder do not install over each other.
 * The lock appears with its pid in it (link is atomic); the lock of a process that has ended is taken over.
 * @param {() => unknown} work
 */
async function alone(work) {
  const lock = path.join(root, ".cache/setup-lock");
  const mine = `${lock}-${process.pid}`;
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  fs.writeFileSync(mine, String(process.pid));
  while (!tryLink(mine, lock)) {
    const holder = readPid(lock);
    if (holder !== undefined && !isAlive(holder)) fs.rmSync(lock, { force: true });
    else await sleep(200);
  }
  fs.rmSync(mine);
  try {
    await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** @param {string} from  @param {string} to */
function tryLink(from, to) {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} file */
function readPid(file) {
  try {
    return Number(fs.readFileSync(file, "utf8"));
  } catch {
    return undefined; // released between our attempt and this read
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} program  @param {string[]} args  @param {NodeJS.ProcessEnv} env */
function run(program, args, env) {
  const { status, error } = spawnSync(program, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
  if (status !== 0) stop(`${program} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}`);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

/** @param {string} text @returns {never} */
function stop(text) {
  say(text);
  process.exit(1);
}
