/** The page for when the daemon can't be reached. It is a part of the worker, so nothing has to be kept for it. */

const STYLE = `:root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif;background:light-dark(#fbfbfc,#0e1013);color:light-dark(#16191d,#e6e9ed)}
main{max-width:32rem;margin:20vh auto 0;padding:0 1.5rem}
h1{font-size:1.25rem}
a{display:inline-block;margin-top:.5rem;padding:.625rem 1rem;border:1px solid light-dark(#8b94a0,#67717e);border-radius:.375rem;color:inherit;text-decoration:none}
code{font:.875rem ui-monospace,monospace;white-space:nowrap}`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Oddjobs is offline</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Oddjobs can’t be reached</h1>
<p>Either this device has no connection, or the daemon isn’t running. Nothing that waits for you is lost.</p>
<p>On the machine where Oddjobs runs: <code>oj daemon start</code></p>
<p><a href="/">Try again</a></p>
</main>
</body>
</html>
`;

export async function offlinePage(): Promise<Response> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(STYLE));
  const style = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return new Response(PAGE, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; frame-ancestors 'none'`,
      "cache-control": "no-store",
    },
  });
}
