/** The typed calls over the daemon's socket. `connect.ts` sees to it that there is a daemon. */
import type { ApiClient } from "../api/api.ts";
import type { Caller } from "./calls.ts";
import { callsOf } from "./calls.ts";
import { send } from "./http.ts";

export interface Target extends Omit<Caller, "send"> {
  socket: string;
}

/** A client of the daemon at that socket. It does not start one: see `connect`. */
export function clientOf({ socket, ...caller }: Target): ApiClient {
  return callsOf({ ...caller, send: (call) => send(socket, call) });
}
