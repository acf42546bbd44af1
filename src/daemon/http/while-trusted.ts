/**
 * Runs a call that waits for as long as its caller may wait. When a token is revoked or expires, a role is taken or a
 * browser is logged out, the call ends at once, and its last word says why: a refusal, or an event of the stream.
 */
import type { ServerResponse } from "node:http";
import { Refusal } from "../../core/model/errors.ts";
import type { State } from "../../core/model/state/state.ts";
import { findToken } from "../../core/rights/people.ts";
import { followAborts } from "../engine/abort-any.ts";
import { refuseStopping } from "../engine/deadline.ts";
import type { Principal } from "./callers.ts";
import { errorBody } from "./errors.ts";
import type { Grounds } from "./open-calls.ts";
import type { Service } from "./service.ts";
import { rightsOf } from "./vouched.ts";

export type Keeper = Pick<Service, "engine" | "openCalls" | "logins" | "places"> & {
  ports: Pick<Service["ports"], "clock">;
};

type Check = (state: Readonly<State>, caller: Principal) => void;

export interface Waiting {
  caller: Principal;
  /** Throws a refusal if a caller with these rights may not wait for this. */
  check: Check;
  /** Aborted when the caller goes away. */
  abort: AbortSignal;
  outgoing: ServerResponse | undefined;
  /** The call itself. `current` is the caller with the rights they have by then. */
  run(abort: AbortSignal, current: () => Principal): Promise<unknown>;
}

/** Whether what this caller may do can end while it waits. */
export function canEnd(caller: Principal): boolean {
  const { trust, login } = groundsOf(caller);
  return trust !== null || login !== null;
}

function groundsOf(caller: Principal): Grounds {
  if (caller.kind === "agent") return { trust: null, login: null };
  return { trust: caller.trust, login: caller.kind === "person" ? caller.login : null };
}

/** How long somebody may take to read the last word. */
const READ_WITHIN_MS = 2000;

export async function whileTrusted(keeper: Keeper, waiting: Waiting): Promise<unknown> {
  const { abort, outgoing } = waiting;
  const ending = new AbortController();
  const { signal, end } = followAborts(abort, ending.signal);
  let refusal: Refusal | null = null;
  const watch = watchTrust(keeper, waiting.caller, waiting.check, (why) => {
    refusal = why;
    ending.abort();
  });
  const leave = () => {
    watch.end();
    end();
  };
  try {
    await watch.look(); // it may have been taken back since the caller was found
    if (refusal) throw refusal;
    const result = await waiting.run(signal, watch.current);
    if (result instanceof Response && isStream(result)) return withLastWord(result);
    leave();
    if (refusal && result instanceof Response && result.status === LEFT) throw refusal;
    return result;
  } catch (error) {
    leave();
    throw refusal ?? error;
  }

  function withLastWord(result: Response): Response {
    const { status, headers } = result;
    ending.signal.addEventListener("abort", () => hangUp(keeper, outgoing), { once: true });
    abort.addEventListener("abort", leave, { once: true });
    outgoing?.once("close", leave); // a caller that asks for the head alone reads nothing, and does not go away either
    if (abort.aborted || outgoing?.closed) leave();
    const through = new TransformStream<Uint8Array, Uint8Array>({
      flush(controller) {
        leave();
        if (refusal === null) return;
        if (headers.get("content-type")?.startsWith(EVENTS)) controller.enqueue(lastWord(refusal));
        else controller.error(refusal); // plain text has no place for it: whoever calls again is told
      },
    });
    return new Response(result.body?.pipeThrough(through), { status, headers });
  }
}

/** Keeps a connection only for as long as its token counts. What waits there is told first. */
export function keepWhileTrusted(keeper: Keeper, caller: Principal, outgoing: ServerResponse): void {
  const watch = watchTrust(
    keeper,
    caller,
    () => {},
    () => hangUp(keeper, outgoing),
  );
  outgoing.once("close", watch.end);
  void watch.look();
}

function hangUp({ ports }: Keeper, outgoing: ServerResponse | undefined): void {
  ports.clock.after(READ_WITHIN_MS, () => outgoing?.destroy());
}

interface TrustWatch {
  /** The caller with the rights they have now. */
  current(): Principal;
  look(): Promise<void>;
  end(): void;
}

/** Calls `lost` once, when the caller is trusted no more or no longer passes the check. */
function watchTrust(
  keeper: Keeper,
  caller: Principal,
  check: Check,
  lost: (why: Refusal) => void,
): TrustWatch {
  const { engine, openCalls } = keeper;
  let current = caller;
  let isOver = false;
  let forget = openCalls.hold(groundsOf(caller), () => void look());

  async function look(): Promise<void> {
    try {
      const now = await engine.read((state) => {
        const now = trustedNow(state, caller, keeper);
        check(state, now);
        return now;
      });
      if (isOver) return;
      current = now;
      forget();
      forget = openCalls.hold(groundsOf(now), () => void look()); // its end may be another one now
    } catch (error) {
      if (isOver) return;
      end();
      lost(error instanceof Refusal ? error : refuseStopping());
    }
  }

  function end(): void {
    isOver = true;
    forget();
  }

  return { current: () => current, look, end };
}

/** What a handler says whose caller left. */
const LEFT = 499;
const EVENTS = "text/event-stream";

function isStream({ ok, body, headers }: Response): boolean {
  return ok && body !== null && !headers.get("content-type")?.startsWith("application/json");
}

/** The caller with the rights that their token gives them now. Refuses one whose proof counts no more. */
function trustedNow(
  state: Readonly<State>,
  caller: Principal,
  { logins, ports }: Pick<Keeper, "logins" | "ports">,
): Principal {
  const { trust, login } = groundsOf(caller);
  const how = login !== null && trust !== null ? { with: "token" } : null; // what a page then asks for
  if (login !== null && !logins.has(login))
    throw new Refusal("login.required", "this browser was logged out", "oj web", how);
  if (trust === null || caller.kind === "agent") return caller;
  if (trust.token === null) return { ...caller, rights: rightsOf(state, trust.member) } as Principal;
  const found = findToken(state, trust.token, ports.clock.now());
  if (found?.member.id !== trust.member)
    throw new Refusal(
      "login.required",
      "the token of this call was revoked, or has expired",
      "oj login URL --with-token",
      how,
    );
  const { expires_at_ms } = found.token;
  return { ...caller, rights: found.rights, trust: { ...trust, expires_at_ms } };
}

/** As `client/calls.ts` reads it. */
function lastWord(refusal: Refusal): Uint8Array {
  return new TextEncoder().encode(`event: refused\ndata: ${JSON.stringify(errorBody(refusal))}\n\n`);
}
