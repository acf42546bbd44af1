/** A browser as people call it: "Firefox on Linux". */

const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Headless)?(Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** The text is the browser's `User-Agent`, and may say anything: only names of ours are taken from it. */
export function browserName(userAgent: string): string {
  const named = (all: typeof BROWSERS) => all.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = named(SYSTEMS);
  return `${named(BROWSERS) ?? "a browser"}${system === undefined ? "" : ` on ${system}`}`;
}
