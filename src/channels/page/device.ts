/** The page that asks whether a login which waits for its code is one's own. */
import type { DeviceWaiting } from "../../api/api.ts";
import { formatDuration } from "../../core/text/duration.ts";
import { html } from "../html/html.ts";
import { page } from "./page.ts";

export function devicePage({
  waiting,
  person,
  ticket,
}: {
  waiting: Omit<DeviceWaiting, "person">;
  person: string;
  ticket: string;
}): string {
  const { code, label, address, scopes, lasts_ms } = waiting;
  return page(
    "Approve a login",
    html`<h1>Approve a login</h1>
<p><strong>${label}</strong> asks to log in as <strong>${person}</strong>. It calls itself that: make sure that it is you
who asks, just now, and that it shows the code <strong>${code}</strong>.</p>
<p>From ${address}. It could ${scopes.join(", ")}, as far as your roles allow, for ${formatDuration(lasts_ms)} at most.</p>
<form method="post" action="decide">
<input type="hidden" name="ticket" value="${ticket}">
<button type="submit" name="answer" value="approve">Approve</button>
<button type="submit" name="answer" value="deny">Deny</button>
</form>`,
  );
}
