/** The page's keys: the terminal's table plus what a page needs. Fields, buttons and dialogs keep their own keys. */
import { useEffect } from "preact/hooks";
import type { Command, Pressed } from "../../inbox/keys.ts";
import { pressed } from "../../inbox/keys.ts";
import { letGo } from "./focus.ts";
import { decisionPath, go } from "./route.ts";
import { scrollMatter } from "./scroll.ts";
import { current, dispatch, setUi, ui } from "./store.ts";

const NAMES: Record<string, string> = {
  Enter: "enter",
  Escape: "escape",
  " ": "space",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
  End: "end",
  PageDown: "page-down",
  PageUp: "page-up",
};

const SETTING = "oj-keys";

/** Single-letter keys can be turned off: they get in the way of speech control and some screen readers. */
export function hasLetterKeys(): boolean {
  return localStorage.getItem(SETTING) !== "off";
}

export function setLetterKeys(on: boolean): void {
  localStorage.setItem(SETTING, on ? "on" : "off");
}

export function useKeyboard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [isOn]);
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  const name = NAMES[event.key] ?? (event.key.length === 1 ? event.key : null);
  if (name === null) return;
  if (name.length === 1 && !hasLetterKeys()) return;
  if (target.matches("textarea, input[type=search], input[type=text], select"))
    return inField(event, target, name);
  if (ui().together !== null) {
    if (name === "u") dispatch({ type: "key", key: { command: "undo" } });
    if (name === "escape" || name === "enter" || name === "u") setUi({ together: null });
    return;
  }
  if (isNative(target, name)) return;
  const key = pressed(name);
  if (key === null) return dispatch({ type: "stray" });
  if (!isForPages(key)) return;
  if (event.repeat && !isMove(key)) return;
  event.preventDefault();
  if (isAboutDecision(key) && !isDecisionShown()) return showDecision();
  dispatch({ type: "key", key });
  follow(key);
}

const ABOUT_DECISION: readonly Command[] = [
  "send",
  "toggle",
  "left",
  "right",
  "message",
  "text",
  "edit",
  "remember",
  "dismiss",
];

function isAboutDecision(key: Pressed): boolean {
  return current().mode.type === "list" && (!("command" in key) || ABOUT_DECISION.includes(key.command));
}

/** On a narrow page, the decision is behind the list until it is opened. */
function isDecisionShown(): boolean {
  return document.querySelector(".pane")?.checkVisibility() ?? false;
}

/** A key that is about a decision out of sight brings it into sight, and does nothing else. */
function showDecision(): void {
  const { selected } = current();
  if (selected !== null) go(decisionPath(selected));
}

/** In a field, letters are just letters; Enter sends what is written, Escape goes back to the list. */
function inField(event: KeyboardEvent, target: HTMLElement, name: string): void {
  if (name !== "escape" && name !== "enter") return;
  if (name === "enter" && (event.shiftKey || target.matches("select, .edit"))) return;
  event.preventDefault();
  if (event.repeat) return;
  const isAnswer = target.matches("[data-field]");
  if (name === "escape" && current().mode.type === "filter")
    dispatch({ type: "key", key: { command: "back" } }); // shows all
  target.blur();
  if (isAnswer) dispatch({ type: "key", key: { command: name === "enter" ? "send" : "back" } });
}

/** Enter and space press buttons and links; arrows move between choices and space ticks them. */
function isNative(target: HTMLElement, name: string): boolean {
  if (target.matches("button, a[href], summary")) return name === "enter" || name === "space";
  if (target.matches("input")) return name === "space" || /^(up|down|left|right)$/.test(name);
  if (target.matches(".code, .table, .terminal")) return /^(up|down|left|right|home|end|space)$/.test(name);
  return false;
}

/** These keys belong to the browser: you leave a page by closing it, and Tab moves through it as through any page. */
function isForPages(key: Pressed): boolean {
  return !("command" in key) || !["quit", "next", "previous"].includes(key.command);
}

function isMove(key: Pressed): boolean {
  return "command" in key && ["up", "down", "scroll-up", "scroll-down"].includes(key.command);
}

/** Moves the focus to where the person is looking: the chosen option, or the text that scrolls. */
function follow(key: Pressed): void {
  if ("choose" in key || ["left", "right", "toggle"].includes(key.command))
    requestAnimationFrame(focusOption);
  else if (key.command === "scroll-down" || key.command === "scroll-up")
    scrollMatter(key.command === "scroll-down" ? 1 : -1);
  else if (isMove(key) || key.command === "send") letGo();
}

function focusOption(): void {
  const { selected, forms, mode } = current();
  const form = selected === null ? undefined : forms.get(selected);
  if (!form || mode.type !== "list") return;
  const place = document.querySelectorAll(".place")[form.at];
  const option = place?.querySelectorAll<HTMLInputElement>("input")[form.cursor];
  option?.focus({ preventScroll: false });
}
