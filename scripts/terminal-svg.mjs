/** Text with a terminal's colours becomes SVG: a window with lines of text that stay aligned in any font. */

/** How a terminal marks colours, then the parts of a line: colours, ASCII, other characters. */
const ESC = "\u001b";
const COLOUR = new RegExp(`${ESC}\\[([\\d;]*)m`, "g");
const PARTS = new RegExp(`${COLOUR.source}|([\\x20-\\x7e]+)|(─+)|(\\P{Cc})`, "gu");

const cell = { width: 8.4, height: 18 };
const margin = { left: 18, top: 48, bottom: 16 };
/** A dark window that stands out on a light page and, thanks to its border, on a dark one. */
export const colours = {
  window: "#161b22",
  bar: "#21262d",
  border: "#444c56",
  text: "#d5dae1",
  title: "#9198a1",
  31: "#ff7b72",
  32: "#56d364",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
};

/** @typedef {{ bold: boolean, dim: boolean, colour: string }} Look */
/** @typedef {{ text: string, column: number, look: Look }} Run */

/**
 * A window around the content. `text` is for those who can't see it.
 * @param {{ title: string, columns: number, rows: number, text: string, style?: string }} input  @param {string} content
 */
export function windowOf({ title, columns, rows, text, style = "" }, content) {
  const { width, height } = sizeOf(columns, rows);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${markup(title)}</title>
<desc>${markup(text)}</desc>
<style>text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: ${colours.text}; white-space: pre }${style}</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="${colours.window}" stroke="${colours.border}"/>
<path d="M1 32V9.5a8.5 8.5 0 0 1 8.5-8.5H${width - 9.5}a8.5 8.5 0 0 1 8.5 8.5V32z" fill="${colours.bar}"/>
<circle cx="20" cy="16.5" r="5.5" fill="#ff5f57"/><circle cx="39" cy="16.5" r="5.5" fill="#febc2e"/><circle cx="58" cy="16.5" r="5.5" fill="#28c840"/>
<text x="${width / 2}" y="21" text-anchor="middle" style="font-size:13px;fill:${colours.title}">${markup(title)}</text>
${content}
</svg>
`;
}

/** @param {number} columns  @param {number} rows */
export function sizeOf(columns, rows) {
  return {
    width: Math.round(columns * cell.width + 2 * margin.left),
    height: margin.top + rows * cell.height + margin.bottom,
  };
}

/**
 * Splits each line into runs of one look. A character that is not ASCII is a run of its own: fonts differ in its width.
 * @param {string[]} lines  @returns {Run[][]}
 */
export function rowsOf(lines) {
  let look = plainLook();
  return lines.map((line) => {
    const runs = [];
    let column = 0;
    for (const part of line.matchAll(PARTS)) {
      if (part[1] !== undefined) {
        look = changed(look, part[1]);
        continue;
      }
      const text = part[0];
      if (text.trim() !== "") runs.push({ text, column, look });
      column += [...text].length;
    }
    return runs;
  });
}

/** @param {Look} look  @param {string} codes */
function changed(look, codes) {
  let next = look;
  for (const code of codes === "" ? [0] : codes.split(";").map(Number)) {
    if (code === 0) next = plainLook();
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, dim: true };
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 39) next = { ...next, colour: colours.text };
    else if (code in colours) next = { ...next, colour: colours[/** @type {31} */ (code)] };
  }
  return next;
}

/** @returns {Look} */
function plainLook() {
  return { bold: false, dim: false, colour: colours.text };
}

/**
 * `textLength` keeps the columns aligned in any font.
 * @param {{ text: string, column: number, look: Look }} run  @param {number} row
 */
export function textOf({ text, column, look }, row) {
  const trimmed = text.trimStart();
  const at = column + text.length - trimmed.length;
  const shown = trimmed.trimEnd();
  const x = (margin.left + at * cell.width).toFixed(1);
  const y = margin.top + row * cell.height + 13;
  if (/^[─│]/.test(shown)) return lineOf(shown, Number(x), row, look);
  const length =
    shown.length > 1
      ? ` textLength="${(shown.length * cell.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`
      : "";
  if (shown === "⏸") return pauseSign(Number(x), y, look); // few fonts have it, and phones turn it into a picture
  const style = [
    look.colour === colours.text ? "" : `fill:${look.colour}`,
    look.bold ? "font-weight:700" : "",
    look.dim ? "opacity:.65" : "",
  ].filter((it) => it !== "");
  return `<text x="${x}" y="${y}"${length}${style.length > 0 ? ` style="${style.join(";")}"` : ""}>${markup(shown)}</text>`;
}

/** Lines that meet, in whatever font. @param {string} text  @param {number} x  @param {number} row  @param {Look} look */
function lineOf(text, x, row, look) {
  const top = margin.top + row * cell.height;
  const d =
    text === "│"
      ? `M${(x + cell.width / 2).toFixed(1)} ${top}v${cell.height}`
      : `M${x.toFixed(1)} ${top + cell.height / 2}h${(text.length * cell.width).toFixed(1)}`;
  return `<path d="${d}" stroke="${look.colour}"${look.dim ? ' opacity=".5"' : ""}/>`;
}

/** @param {number} x  @param {number} y  @param {Look} look */
function pauseSign(x, y, look) {
  const bar = (/** @type {number} */ at) =>
    `<rect x="${(x + at).toFixed(1)}" y="${y - 9.5}" width="2.2" height="9.5" fill="${look.colour}"/>`;
  return bar(1.2) + bar(5);
}

export function strip(/** @type {string} */ line) {
  return line.replaceAll(COLOUR, "");
}

export function markup(/** @type {string} */ text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
