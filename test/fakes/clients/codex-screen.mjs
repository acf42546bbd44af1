/** The screen and the keys of a double of Codex: drawn as the real one draws them, and read by the same code of ours. */

const PLACEHOLDER = "Ask Codex to do anything";
const PASTE = { begins: "\x1b[200~", ends: "\x1b[201~" };
const KEYS = /** @type {Record<string, string>} */ ({
  "\x1b[A": "Up",
  "\x1b[B": "Down",
  "\x1b": "Esc",
  "\t": "Tab",
  "\r": "Enter",
  "\x15": "Clear",
  "\x7f": "Back",
});

/**
 * @typedef {{ label: string, description: string }} Option
 * @typedef {{ lines: string[], options: Option[], note: string | null, at: number, isQuestion: boolean,
 *   take(choice: { at: number, note: string | null }): void }} Dialog
 */

/** @param {(words: string) => void} said  Called with what somebody sent with Enter. */
export function startScreen(said) {
  const printed = /** @type {string[]} */ ([
    "",
    "  >_ OpenAI Codex (v0.166.0)",
    `     ${process.cwd()}`,
    "",
    "",
  ]);
  let composer = "";
  let working = false;
  let dialog = /** @type {Dialog | null} */ (null);
  const { stdin, stdout } = process;
  const wide = () => (stdout.columns || 120) - 4;

  /** @param {string} mark  @param {string} text */
  const wrapped = (mark, text) =>
    text
      .split("\n")
      .flatMap((line) => line.match(new RegExp(`.{1,${wide()}}`, "gu")) ?? [""])
      .map((line, n) => `${n === 0 ? mark : "  "}${line}`);

  /** @param {Dialog} it */
  function dialogLines({ lines, options, note, at, isQuestion }) {
    const rows = options.map(({ label, description }, n) => {
      const cursor = n === at ? "›" : " ";
      return `${isQuestion ? "  " : ""}${cursor} ${n + 1}. ${label}${description === "" ? "" : `  ${description}`}`;
    });
    if (!isQuestion) return [...lines, "", ...rows, "", "  Press enter to confirm or esc to cancel"];
    if (note === null)
      return [...lines, "", ...rows, "", "  tab to add notes | enter to submit answer | esc to interrupt"];
    const words = wrapped("  › ", note === "" ? "Add notes" : note);
    return [...lines, "", ...rows, "", ...words, "", "  tab or esc to clear notes | enter to submit all"];
  }

  function draw() {
    const bottom = dialog
      ? dialogLines(dialog)
      : [
          ...(working ? ["◦ Working (2s • esc to interrupt)"] : []),
          "",
          ...wrapped("› ", composer === "" ? PLACEHOLDER : composer),
          "",
          `  gpt-5.1-codex default · ${process.cwd()}`.slice(0, wide()),
          "  ? for shortcuts",
        ];
    const lines = [...printed, "", ...bottom].slice(-(stdout.rows || 40));
    stdout.write(`\x1b[?2026h\x1b[H\x1b[2J${lines.join("\r\n")}\x1b[?2026l`);
  }

  /** @param {string} key  One of `KEYS`, or text. */
  function press(key) {
    if (dialog) return inDialog(dialog, key);
    if (key === "Enter" && composer.trim() !== "" && !working) {
      const words = composer;
      composer = "";
      said(words);
    } else if (key === "Clear") composer = "";
    else if (key === "Back") composer = composer.slice(0, -1);
    else if (!Object.values(KEYS).includes(key)) composer += key;
  }

  /** @param {Dialog} it  @param {string} key */
  function inDialog(it, key) {
    const last = it.options.length - 1;
    if (it.note !== null && !Object.values(KEYS).includes(key)) it.note += key;
    else if (/^[1-9]$/.test(key) && Number(key) <= last + 1) choose(it, Number(key) - 1);
    else if (key === "Up") it.at = Math.max(0, it.at - 1);
    else if (key === "Down") it.at = Math.min(last, it.at + 1);
    else if (key === "Tab" && it.isQuestion) it.note = it.note === null ? "" : null;
    else if (key === "Enter") choose(it, it.at);
    else if (key === "Esc" && !it.isQuestion) choose(it, last);
  }

  /** @param {Dialog} it  @param {number} at */
  function choose(it, at) {
    dialog = null;
    working = true;
    it.take({ at, note: it.note || null });
  }

  stdin.setRawMode(true).setEncoding("utf8");
  stdout.write("\x1b[?2004h");
  stdin.on("data", (/** @type {string} */ part) => {
    for (let rest = part; rest !== ""; ) {
      const key = keyIn(rest, dialog?.note === null);
      press(key.name);
      rest = rest.slice(key.length);
    }
    draw();
  });
  stdout.on("resize", draw);
  draw();
  return {
    /** @param {string} mark  @param {string} text */
    print(mark, text) {
      printed.push(...wrapped(mark, text), "");
      draw();
    },
    /** @param {boolean} is */
    works(is) {
      working = is;
      draw();
    },
    /**
     * @param {Pick<Dialog, "lines" | "options" | "isQuestion">} it
     * @returns {Promise<{ at: number, note: string | null }>}
     */
    ask: (it) =>
      new Promise((take) => {
        dialog = { ...it, at: 0, note: null, take };
        draw();
      }),
  };
}

/**
 * The first key or text in what came from the terminal. Where keys choose, each letter is one.
 * @param {string} input
 * @param {boolean} choosing
 */
function keyIn(input, choosing) {
  if (input.startsWith(PASTE.begins) && input.includes(PASTE.ends)) {
    const text = input.slice(PASTE.begins.length, input.indexOf(PASTE.ends));
    return { name: text.replace(/\r\n?/g, "\n"), length: input.indexOf(PASTE.ends) + PASTE.ends.length };
  }
  const known = Object.keys(KEYS).find((it) => input.startsWith(it));
  if (known !== undefined) return { name: KEYS[known] ?? "", length: known.length };
  const text = (choosing ? null : /^\P{Cc}+/u.exec(input)?.[0]) ?? input.slice(0, 1);
  return { name: text, length: text.length };
}
