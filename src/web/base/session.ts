/**
 * Logging in: a one-time code in the address's fragment becomes a cookie, which no script can read, and a key, which is
 * never sent to another port of this machine. Neither works without the other.
 */
import type { ErrorBody } from "../../api/api.ts";
import { HEADERS } from "../../api/api.ts";

const KEY = "oj-key";

/** Takes the code out of the address, so that neither the history nor a shared link keeps it. Null if there is none. */
export function takeCode(location: Location, history: History): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const code = fragment.get("login");
  if (code === null) return null;
  fragment.delete("login");
  const rest = fragment.size > 0 ? `#${fragment}` : "";
  history.replaceState(null, "", location.pathname + location.search + rest);
  return code;
}

/** True if the browser is now logged in; false if the code has been used or is too old. */
export async function logIn(code: string): Promise<boolean> {
  const response = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeader() },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) return false;
  const { key } = (await response.json()) as { key: string };
  localStorage.setItem(KEY, key);
  return true;
}

/** With a person's token, on a page that `oj serve` sent. Null: the browser is now logged in; otherwise why not. */
export async function logInWith(token: string): Promise<string | null> {
  const said = await post("/login", { token });
  return said.why ?? keep(said);
}

const BACK = "#provider";

/** Whether the provider has just led this browser back here. Takes that out of the address. */
export function takeReturn(location: Location, history: History): boolean {
  if (location.hash !== BACK) return false;
  history.replaceState(null, "", location.pathname);
  return true;
}

/** As whoever the provider has named in this browser, who then sees the page they wanted. Null, or why not. */
export async function logInAsNamed(location: Location): Promise<string | null> {
  const said = await post("/login", { provider: true });
  if (said.why !== undefined) return said.why;
  const trouble = keep(said);
  if (trouble === null && said.next?.startsWith("#")) location.replace(said.next);
  return trouble;
}

/** Leaves for the provider's page; what is open here now is shown again afterwards. Returns why it couldn't. */
export async function leaveForProvider(location: Location): Promise<string | null> {
  const said = await post("/oidc/begin", { next: location.hash });
  if (said.location === undefined) return said.why ?? "the server can't be reached";
  location.assign(said.location);
  return null;
}

interface Said {
  key?: string;
  next?: string;
  location?: string;
  provider?: string | null;
  /** Why it was refused. */
  why?: string;
}

async function post(path: string, body: object): Promise<Said> {
  try {
    const headers = { "content-type": "application/json", ...keyHeader() };
    const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const said = (await response.json()) as Said & Partial<ErrorBody>;
    return said.error === undefined ? said : { why: whyOf(said.error) };
  } catch {
    return { why: "the server can't be reached" };
  }
}

/** Here the hint is for a person at this page; elsewhere it is a command. */
function whyOf({ code, message, hint }: ErrorBody["error"]): string {
  return code === "login.refused" && hint !== null ? `${message}. ${hint}` : message;
}

function keep({ key }: Said): string | null {
  if (key === undefined) return "the server can't be reached";
  localStorage.setItem(KEY, key);
  return null;
}

const TRIED = "oj-door";
const AGAIN_AFTER_MS = 60_000;

/** Where a door names the person: no token. Once a minute, or a browser that keeps no cookie would never stop. */
export async function logInByDoor(): Promise<boolean> {
  if (Date.now() - Number(sessionStorage.getItem(TRIED) ?? 0) < AGAIN_AFTER_MS) return false;
  sessionStorage.setItem(TRIED, String(Date.now()));
  return (await logInWith("")) === null;
}

/** The server forgets this browser, and the browser its key. Returns what the provider is called, if there is one. */
export async function logOut(): Promise<string | null> {
  const { provider } = await post("/logout", {});
  localStorage.removeItem(KEY);
  return provider ?? null;
}

/** The header that every call must carry besides the cookie. */
export function keyHeader(): Record<string, string> {
  const key = localStorage.getItem(KEY);
  return key === null ? {} : { [HEADERS.webKey]: key };
}
