/** For callers that never hang up. Thousands may share it, where each real one has a signal of its own. */
import { setMaxListeners } from "node:events";

export const forever = new AbortController().signal;
setMaxListeners(0, forever);
