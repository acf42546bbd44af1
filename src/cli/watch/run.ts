/** `oj decision watch`: keeps the inbox up to date from the daemon's events, draws it, and does what the keys say. */
import type { ApiClient, EventQuery } from "../../api/api.ts";
import type { Effect, Inbox } from "../../inbox/model.ts";
import { emptyInbox } from "../../inbox/model.ts";
import type { Input } from "../../inbox/update.ts";
import { update } from "../../inbox/update.ts";
import { batches } from "../base/batches.ts";
import type { Context } from "../base/command.ts";
import { openKeyboard } from "../base/keys.ts";
import { openUrl } from "../base/open-url.ts";
import { plain, write } from "../base/output.ts";
import { directClient, patiently, stopped } from "../base/patience.ts";
import { openScreen } from "../base/screen.ts";
import { perform } from "./effects.ts";
import { frame } from "./frame.ts";
import { screenText, watchScreen } from "./peek.ts";
import { look } from "./sight.ts";
import type { Typed } from "./typed.ts";
import { typed } from "./typed.ts";

/** The least time between two frames; whatever happens in between is drawn together. */
const FRAME_MS = 15;
const TICK_MS = 1000;

/** A smaller screen has no room for a guide's words. */
const GUIDED_ROWS = 12;

/** Words above the inbox, for somebody who is new to it. */
export type Guide = (inbox: Inbox, columns: number) => string[];

export async function watchInbox(
  context: Context,
  query: Pick<EventQuery, "project">,
  guide: Guide = () => [],
): Promise<void> {
  const ending = new AbortController();
  const abort = AbortSignal.any([ending.signal, context.abort]);
  const client = directClient(context, abort, "tui");
  const screen = openScreen();
  const keyboard = openKeyboard(process.stdin, (text) => write(1, text));
  const ui: Typed = { inbox: emptyInbox(), scroll: 0 };
  let most = 0;
  let step = 1;
  let looked: ReturnType<typeof look> = { text: "", before: 0, rest: 0 };
  let drawing: NodeJS.Timeout | null = null;
  let screenOf = "";
  let peeking = new AbortController();

  const draw = () => {
    drawing = null;
    const { columns = 80, rows: all = 24 } = process.stdout;
    const above = all < GUIDED_ROWS ? [] : guide(ui.inbox, columns);
    const rows = all - above.length;
    const peeked = screenText(screenOf, columns, { coloured: context.out.style !== plain });
    const input = { columns, rows, now: context.now(), style: context.out.style, scroll: ui.scroll, peeked };
    const shown = frame(ui.inbox, input);
    most = shown.most;
    step = shown.sight?.step ?? step;
    screen.draw([...above, ...shown.lines].join("\n"));
    if (shown.sight === null) return;
    looked = look(looked, shown.sight);
    for (const id of shown.sight.ids) put({ type: "saw", id, rest: looked.rest });
  };
  const redraw = () => {
    drawing ??= setTimeout(draw, FRAME_MS);
  };
  const put = (input: Input) => {
    const before = ui.inbox;
    const { inbox, effects } = update(before, input, context.now());
    ui.inbox = inbox;
    if (inbox.selected !== before.selected) ui.scroll = 0;
    if (inbox.mode !== before.mode) peek(inbox);
    for (const effect of effects) void act(effect);
    if (inbox !== before) redraw();
  };
  const act = async (effect: Effect) => {
    if (effect.type === "quit") ending.abort();
    else await perform(client, (url) => openUrl(url, context.config.env), effect, put);
  };

  /** Follows the agent's terminal for as long as the person looks at it. */
  function peek({ mode }: Inbox): void {
    peeking.abort();
    screenOf = "";
    if (mode.type !== "peek") return;
    peeking = new AbortController();
    const until = AbortSignal.any([peeking.signal, abort]);
    const show = (text: string) => {
      screenOf = text;
      redraw();
    };
    watchScreen(directClient(context, until, "tui"), mode.agent_id, show, until).catch((error: Error) => {
      if (!until.aborted) show(`its terminal can't be shown: ${error.message}`);
    });
  }

  const clock = setInterval(redraw, TICK_MS); // ages and countdowns change without any call to the daemon
  process.stdout.on("resize", redraw);
  try {
    draw();
    await Promise.race([follow(context, client, query, put, abort), typing()]);
  } finally {
    ending.abort();
    peeking.abort();
    clearInterval(clock);
    if (drawing) clearTimeout(drawing);
    process.stdout.off("resize", redraw);
    keyboard.close();
    screen.close();
  }

  async function typing(): Promise<void> {
    while (!abort.aborted) {
      const key = await keyboard.next(abort).catch(() => null);
      if (key === null) return;
      const input = typed(ui, key, { most, step });
      if (input) put(input);
      else redraw();
    }
  }
}

/** Loads the list, then follows the events, across restarts of the daemon. */
async function follow(
  context: Context,
  client: ApiClient,
  query: Pick<EventQuery, "project">,
  put: (input: Input) => void,
  abort: AbortSignal,
): Promise<void> {
  const quiet: Context = {
    ...context,
    abort,
    out: { ...context.out, say: () => put({ type: "connection", state: "offline" }) },
  };
  await patiently(quiet, null, async () => {
    await context.client.health(); // starts the daemon if it is not running
    const { seq, decisions } = await client.briefs(query);
    put({ type: "listed", briefs: decisions });
    try {
      for await (const events of batches(client.events({ ...query, after: seq, types: ["decision:*"] }), 0))
        put({ type: "events", events });
    } finally {
      put({ type: "connection", state: "offline" });
    }
    throw stopped();
  }).catch((error) => {
    if (!abort.aborted) throw error;
  });
}
