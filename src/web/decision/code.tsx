/**
 * Code and what programs printed: it wraps, has colours, can be copied, and is visibly cut if it is very long, until
 * the person asks for everything.
 */
import { useState } from "preact/hooks";
import { coloured } from "../../text/coloured.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { Copy } from "../parts/copy.tsx";
import { Scrolls } from "../parts/scrolls.tsx";
import { looksLikeDiff, TextDiff } from "./diff.tsx";

/** How many characters are shown at first. */
const FIRST = 20_000;

interface Given {
  text: string;
  language?: string;
  label?: string | null;
  /** Part of what is decided about: it never scrolls by itself, so that it can't seem to end where a box ends. */
  whole?: boolean;
  /** Keeps its lines unwrapped: a screen. */
  printed?: boolean;
  /** The hash of the whole text, if known. */
  sha256?: string | null;
}

export function Code({ text, language = "", label = null, sha256, whole = false, printed = false }: Given) {
  const [isOpened, open] = useState(false);
  const isCut = text.length > FIRST && !isOpened;
  const shown = safe(isCut ? text.slice(0, FIRST) : text);
  const isDiff = language === "diff" || language === "patch" || (language === "" && looksLikeDiff(text));
  const kind = `code${isDiff ? " diff" : ""}${printed ? " printed" : ""}`;
  const drawn = <pre>{isDiff ? <TextDiff text={shown} /> : <Pieces language={language} text={shown} />}</pre>;
  return (
    <div class="code-box">
      {label !== null && <span class="code-label">{safeLine(label)}</span>}
      <Copy text={text} what={label ?? "the code"} />
      {whole ? (
        <div class={kind}>{drawn}</div>
      ) : (
        <Scrolls kind={kind} label={label ?? nameOf(language, isDiff)}>
          {drawn}
        </Scrolls>
      )}
      {isCut && (
        <p class="cut" data-cut={text.length - FIRST}>
          <strong>Cut here</strong>: {FIRST.toLocaleString("en")} of {text.length.toLocaleString("en")}{" "}
          characters are shown{sha256 ? `; sha256 of all: ${sha256}` : ""}.{" "}
          <button type="button" class="plain-button" onClick={() => open(true)}>
            Show everything
          </button>
        </p>
      )}
    </div>
  );
}

function Pieces({ language, text }: { language: string; text: string }) {
  const pieces = coloured(SHELLS.includes(language) ? "shell" : language, text);
  return (
    <code>
      {pieces.map((it, at) =>
        it.kind === "plain" ? (
          it.text
        ) : (
          <span key={at} class={`is-${it.kind}`}>
            {it.text}
          </span>
        ),
      )}
    </code>
  );
}

/** What people write after the three backticks. */
const SHELLS = ["shell", "sh", "bash", "zsh", "console"];

function nameOf(language: string, isDiff: boolean): string {
  return isDiff ? "diff" : language === "" ? "code" : `code: ${language}`;
}
