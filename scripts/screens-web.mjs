/** The inbox in a browser, page by page, on a desk and on a phone, in light and in dark. */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./screens-terminal.mjs").Given} Given */
/** @typedef {(name: string) => Promise<void>} Shoot */

const SIZES = {
  "1440x900": { viewport: { width: 1440, height: 900 } },
  "390x844": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** @param {Given} given */
export async function webScreens(given) {
  const pages = [];
  for (const [size, options] of Object.entries(SIZES)) {
    const page = await given.browser.newPage({ reducedMotion: "reduce", ...options });
    page.setDefaultTimeout(3000);
    const shoot = shooter(given, page, size);
    const url = given.stage.oj("web", "--no-open").trim();
    if (given.isEmpty) {
      await page.goto(new URL(url).origin);
      await shoot("web-logged-out");
    }
    await page.goto("about:blank");
    await page.goto(url);
    await page.getByRole("navigation").waitFor();
    await sleep(500);
    if (given.isEmpty) {
      await shoot("web-empty");
      for (const it of ["fleet", "history", "stats"]) await opened(page, `#/${it}`, `web-${it}-empty`, shoot);
      await page.close();
    } else {
      await everyPage(given, page, shoot);
      pages.push({ page, shoot });
    }
  }
  if (given.isEmpty) return;
  given.stage.oj("daemon", "stop");
  for (const { page, shoot } of pages) {
    await sleep(2000);
    await shoot("web-offline");
    await page.close();
  }
}

/** @param {Given} given  @param {Page} page  @param {Shoot} shoot */
async function everyPage({ stage }, page, shoot) {
  await shoot("web-list");
  /** @type {{ id: string, source: string, title: string, owner: { id: string } }[]} */
  const decisions = JSON.parse(stage.oj("decision", "list", "-o", "json"));
  const named = (/** @type {RegExp} */ title) =>
    `#/decision/${decisions.find((it) => title.test(it.title))?.id}`;
  for (const [at, { id, source }] of decisions.entries()) {
    const name = `web-card-${String(at + 1).padStart(2, "0")}-${source}`;
    await opened(page, `#/decision/${id}`, name, shoot);
    await below(page, name, shoot);
  }
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  await opened(page, named(/npm publish/), null, shoot);
  await press("1");
  await shoot("web-chosen");
  await press("p");
  await shoot("web-peek");
  await press("Escape");
  await press("d");
  await shoot("web-dismiss");
  await press("Escape");
  await press("E");
  await shoot("web-edit");
  await press("Escape");
  await press("?");
  await shoot("web-help");
  await press("Escape");
  await opened(page, named(/lint/), null, shoot);
  await press("1");
  await press("Enter");
  await shoot("web-together");
  await press("Enter");
  await shoot("web-together-results");
  await press("u");
  await shoot("web-together-undone");
  await press("Escape");
  await opened(page, named(/lint/), null, shoot);
  await press("M");
  await shoot("web-marked");
  await press("M");
  await opened(page, "#/", null, shoot);
  await press("/");
  await page.keyboard.type("no such words");
  await shoot("web-no-match");
  await page.keyboard.press("Escape");
  await press("a");
  await opened(page, "#/fleet", "web-fleet", shoot);
  await page
    .locator("summary, .fleet button, .fleet [role=button]")
    .first()
    .click()
    .catch(() => {});
  await shoot("web-fleet-open");
  await opened(page, "#/history", "web-history", shoot);
  await opened(page, "#/stats", "web-stats", shoot);
  await below(page, "web-stats", shoot);
  await opened(
    page,
    `#/job/${decisions.find((it) => /npm publish/.test(it.title))?.owner.id}`,
    "web-job",
    shoot,
  );
  const [settled] = JSON.parse(stage.oj("decision", "list", "--all", "-o", "json")).filter(
    (/** @type {{ state: string }} */ it) => it.state === "resolved",
  );
  await opened(page, `#/history/${settled?.id}`, "web-history-one", shoot);
  await opened(page, named(/npm publish/), null, shoot);
}

/** @param {Page} page  @param {string} hash  @param {string | null} name  @param {Shoot} shoot */
async function opened(page, hash, name, shoot) {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await sleep(400);
  if (name !== null) await shoot(name);
}

/** What is below, if anything is. @param {Page} page  @param {string} name  @param {Shoot} shoot */
async function below(page, name, shoot) {
  const has = await page.evaluate(() => {
    const all = [document.scrollingElement, ...document.querySelectorAll(".pane, .page, main, .decision")];
    const box = all.find(
      (it) => it && it.scrollHeight > it.clientHeight + 8 && getComputedStyle(it).overflowY !== "visible",
    );
    const it = box ?? document.scrollingElement;
    if (!it || it.scrollHeight <= it.clientHeight + 8) return false;
    it.scrollTop = it.scrollHeight;
    return true;
  });
  if (has) await shoot(`${name}-below`);
}

/** @param {Given} given  @param {Page} page  @param {string} size  @returns {Shoot} */
function shooter({ out }, page, size) {
  return async (name) => {
    await sleep(250);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(out, `${name}.${size}.${colorScheme}.png`) });
    }
  };
}
