/** What a person sees: the transcript, the composer, the dialogs. Keys go to the dialog if one is open, otherwise to the composer. */

import type { Recorder } from "../hooks/record.ts";
import { composerView } from "./composer-view.ts";
import type { Dialog, Outcome } from "./dialog.ts";
import { edited, press } from "./dialog.ts";
import { viewDialog } from "./dialog-view.ts";
import type { Key } from "./keys.ts";
import { readKeys } from "./keys.ts";
import type { Block, Screen } from "./screen.ts";
import { cut, wrap } from "./text.ts";

export interface Ui {
  print(block: Block): void;
  pour(parts: Iterable<string>): Promise<void>;
  /** Null if nobody can be asked. The head stands above the dialog, blinking; then it stays in the transcript. */
  ask(dialog: Dialog, head?: string): Asked | null;
  /** The next prompt: typed now, or queued while the agent worked. */
  nextPrompt(abort?: AbortSignal): Promise<string | null>;
  /** What it is doing, or null when it waits for the person. */
  works(what: string | null): void;
  /** While it hangs, nothing moves on its screen. */
  hang(hangs: boolean): void;
  /** Keys are lost for this long after each dialog appears. */
  ignoreKeys(ms: number): void;
  setMode(mode: string): void;
  close(): void;
}

export interface Asked {
  outcome: Promise<Outcome>;
  /** Removes the dialog: it was answered elsewhere. */
  close(): void;
}

export interface UiEvents {
  interrupt(): void;
  leave(): void;
}

/** A person who is typing is not interrupted: the dialog waits for a pause this long. */
const TYPING_PAUSE_MS = 1500;
const ESCAPE_MS = 40;
const TWICE_MS = 2000;
/** What waits for the person blinks, so a change on the screen alone says nothing about a key. */
const BLINK_MS = 600;

export function startUi(screen: Screen, input: NodeJS.ReadStream, record: Recorder, events: UiEvents): Ui {
  let composer = "";
  let typedAt = 0;
  let working: { what: string; since: number; canInterrupt: boolean } | null = starting();
  let mode = "default";
  let ignoreMs = 0;
  let open: {
    dialog: Dialog;
    head: string | null;
    deafUntil: number;
    settle(outcome: Outcome): void;
  } | null = null;
  let held = false;
  let hangs = false;
  let leavingSince = 0;
  const queue: string[] = [];
  const waiting: ((prompt: string) => void)[] = [];

  function draw(): void {
    if (hangs) return;
    const size = screen.size();
    if (open) {
      const blink = Math.floor(Date.now() / BLINK_MS) % 2 === 0 ? "●" : " ";
      const head = open.head === null ? [""] : ["", cut(`${blink} ${open.head}`, size.columns), ""];
      const room = { ...size, rows: size.rows - 1 - head.length };
      return screen.draw([...head, ...viewDialog(open.dialog, room)], null);
    }
    const busy = working && {
      what: working.what,
      seconds: Math.floor((Date.now() - working.since) / 1000),
      canInterrupt: working.canInterrupt,
    };
    const leaving = Date.now() - leavingSince < TWICE_MS;
    const { lines, cursor } = composerView(
      { text: composer, mode, busy, held, leaving, queued: queue.length },
      size.columns,
    );
    screen.draw(lines, cursor);
  }

  function onKey(key: Key): void {
    if (open) return onDialogKey(open, key);
    switch (key.type) {
      case "enter":
        return submit();
      case "escape":
        return working ? events.interrupt() : undefined;
      case "ctrl-c":
        return onControlC();
      case "ctrl-d":
        return composer === "" ? events.leave() : undefined;
      default: {
        composer = edited(composer, key);
        typedAt = Date.now();
      }
    }
  }

  function onDialogKey(it: NonNullable<typeof open>, key: Key): void {
    if (Date.now() < it.deafUntil) return record("key_lost", { key });
    const pressed = press(it.dialog, key);
    if ("outcome" in pressed) it.settle(pressed.outcome);
    else it.dialog = pressed.dialog;
  }

  function onControlC(): void {
    if (Date.now() - leavingSince < TWICE_MS) return events.leave();
    leavingSince = Date.now();
    composer = "";
    if (working) events.interrupt();
    setTimeout(draw, TWICE_MS).unref();
  }

  function submit(): void {
    const text = composer;
    if (text.trim() === "") return;
    composer = "";
    const next = waiting.shift();
    if (!next) return void queue.push(text);
    working = { what: "Working", since: Date.now(), canInterrupt: true };
    next(text);
  }

  let rest = "";
  let loneEscape: NodeJS.Timeout | undefined;
  function onData(data: string): void {
    clearTimeout(loneEscape);
    const read = readKeys(rest + data);
    rest = read.rest;
    for (const key of read.keys) onKey(key);
    if (rest === "\u001b") loneEscape = setTimeout(() => onLoneEscape(), ESCAPE_MS);
    draw();
  }

  function onLoneEscape(): void {
    rest = "";
    onKey({ type: "escape" });
    draw();
  }

  function show(dialog: Dialog, head: string | null = null): Asked {
    let closed = false;
    let printed = false;
    const { promise, resolve } = settler<Outcome>();
    const close = () => {
      closed = true;
      held = false;
      if (open?.settle === settle) open = null;
      if (head !== null && !printed) screen.print((columns) => ["", ...wrap(head, columns, "● ")]);
      printed = true;
      draw();
    };
    const settle = (outcome: Outcome) => {
      close();
      resolve(outcome);
    };
    const appear = () => {
      if (closed) return;
      const quietFor = Date.now() - typedAt;
      held = composer !== "" && quietFor < TYPING_PAUSE_MS;
      if (held) setTimeout(appear, TYPING_PAUSE_MS - quietFor);
      else open = { dialog, head, deafUntil: Date.now() + ignoreMs, settle };
      draw();
    };
    appear();
    return { outcome: promise, close };
  }

  input.setRawMode(true);
  input.setEncoding("utf8");
  input.on("data", onData);
  const onResize = () => {
    draw();
    screen.redraw();
  };
  process.stdout.on("resize", onResize);
  process.stdout.write("\u001b[?2004h");
  const ticking = setInterval(() => (working || open) && draw(), BLINK_MS);
  draw();

  return {
    print(block) {
      screen.print(block);
    },
    pour: (parts) => screen.pour(parts),
    ask: show,
    nextPrompt(abort) {
      const ready = queue.shift();
      if (ready !== undefined) return Promise.resolve(ready);
      return new Promise((resolve) => {
        const take = (prompt: string) => resolve(prompt);
        waiting.push(take);
        abort?.addEventListener("abort", () => {
          const at = waiting.indexOf(take);
          if (at >= 0) waiting.splice(at, 1);
          resolve(null);
        });
        draw();
      });
    },
    works(what) {
      working = what === null ? null : { what, since: working?.since ?? Date.now(), canInterrupt: true };
      draw();
    },
    hang(next) {
      hangs = next;
      draw();
    },
    ignoreKeys(ms) {
      ignoreMs = ms;
    },
    setMode(next) {
      mode = next;
      draw();
    },
    close() {
      clearInterval(ticking);
      clearTimeout(loneEscape);
      process.stdout.off("resize", onResize);
      input.off("data", onData);
      process.stdout.write("\u001b[?2004l");
      screen.close();
      input.setRawMode(false);
      input.pause();
    },
  };
}

/** Without a person: what the agent says goes to the output, and nobody is asked. */
export function startPrintUi(output: NodeJS.WriteStream): Ui {
  const pour = async (parts: Iterable<string>) => {
    for (const part of parts)
      if (!output.write(part)) await new Promise((resolve) => output.once("drain", resolve));
  };
  return {
    print: (block) => void output.write(`${block(output.columns ?? 80).join("\n")}\n`),
    pour,
    ask: () => null,
    nextPrompt: () => Promise.resolve(null),
    works: () => {},
    ignoreKeys: () => {},
    hang: () => {},
    setMode: () => {},
    close: () => {},
  };
}

/** Whoever looks at the first frame must not take it for one that waits for text. */
function starting() {
  return { what: "Starting", since: Date.now(), canInterrupt: false };
}

function settler<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((it) => (resolve = it));
  return { promise, resolve };
}
