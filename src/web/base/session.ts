/**
 * Logging in: a one-time code in the address's fragment becomes a cookie, which no script can read, and a key, which is
 * never sent to another port of this machine. Neither works without the other.
 */
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
  try {
    const response = await fetch("/login", {
      method: "POST",
      headers: { "content-type": "application/json", ...keyHeader() },
      body: JSON.stringify({ token }),
    });
    const said = (await response.json()) as { key?: string; error?: { message: string } };
    if (said.key === undefined) return said.error?.message ?? `the server answered ${response.status}`;
    localStorage.setItem(KEY, said.key);
    return null;
  } catch {
    return "the server can't be reached";
  }
}

const TRIED = "oj-door";
const AGAIN_AFTER_MS = 60_000;

/** Where a door names the person: no token. Once a minute, or a browser that keeps no cookie would never stop. */
export async function logInByDoor(): Promise<boolean> {
  if (Date.now() - Number(sessionStorage.getItem(TRIED) ?? 0) < AGAIN_AFTER_MS) return false;
  sessionStorage.setItem(TRIED, String(Date.now()));
  return (await logInWith("")) === null;
}

/** The server forgets this browser, and the browser its key. */
export async function logOut(): Promise<void> {
  await fetch("/logout", {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeader() },
    body: "{}",
  });
  localStorage.removeItem(KEY);
}

/** The header that every call must carry besides the cookie. */
export function keyHeader(): Record<string, string> {
  const key = localStorage.getItem(KEY);
  return key === null ? {} : { [HEADERS.webKey]: key };
}
