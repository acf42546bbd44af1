/** Copies a text, word for word, and says that it did. */
import { useEffect, useState } from "preact/hooks";
import { dispatch } from "../base/store.ts";

const SHOWN_MS = 1500;

export function Copy({ text, what }: { text: string; what: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      () => dispatch({ type: "noted", text: "this browser does not let the page copy" }),
    );
  return (
    <button type="button" class="copy" aria-label={isDone ? "Copied" : `Copy ${what}`} onClick={copy}>
      {isDone ? "Copied" : "Copy"}
    </button>
  );
}
