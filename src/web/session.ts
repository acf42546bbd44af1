/** Being logged in: a one-time code from the address's fragment becomes a cookie, which no script can read. */

/** Takes the code out of the address, so that neither the history nor a shared link keeps it. Null: there is none. */
export function takeCode(location: Location, history: History): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get("login");
  if (code !== null) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

/** True: the browser has its cookie now. False: the code was used before, or is too old. */
export async function logIn(code: string): Promise<boolean> {
  const response = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  return response.ok;
}
