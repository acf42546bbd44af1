/** `oj decision watch`: keeps the inbox up to date from the daemon's events, draws it, and does what the keys say. */
import type { ApiClient, EventQuery } from "../../api/api.ts";
import { whenRoom } from "../../client/patience.ts";
import { isQuietNow } from "../../config.ts";
import type { Refusal } from "../../core/model/errors.ts";
import { editedWords, leftAs } from "../../inbox/edit.ts";
import { concernsFailures } from "../../inbox/failed.ts";
import type { Effect, Inbox } from "../../inbox/model.ts";
import { formOf } from "../../inbox/model.ts";
import { concernsSuggestions } from "../../inbox/suggestion.ts";
import type { Input } from "../../inbox/update.ts";
import { batches } from "../base/batches.ts";
import type { Context } from "../base/command.ts";
import { inEditor } from "../base/editor.ts";
import { openKeyboard } from "../base/keys.ts";
import { openUrl } from "../base/open-url.ts";
import { plain, write } from "../base/output.ts";
import { directClient, fullWords, patiently, stopped } from "../base/patience.ts";
import { openScreen } from "../base/screen.ts";
import { makeFleetWork } from "../fleet/work.ts";
import type { DeskEffect } from "./desk.ts";
import { makeDesk } from "./desk.ts";
import { perform } from "./effects.ts";
import { openNotices } from "./notices.ts";
import { screenText, watchScreen } from "./peek.ts";
import type { Run } from "./start.ts";

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
  let screen = openScreen();
  let lent: Promise<void> | null = null;
  const notices = openNotices(
    (text) => write(1, text),
    () => isQuietNow(context.config),
  );
  const listen = () => openKeyboard(process.stdin, (text) => write(1, text));
  let keyboard = listen();
  const desk = makeDesk(context.now, context.out.style);
  let drawing: NodeJS.Timeout | null = null;
  let screenOf = "";
  let peeking = new AbortController();

  const draw = () => {
    drawing = null;
    const { columns = 80, rows: all = 24 } = process.stdout;
    const above = all < GUIDED_ROWS ? [] : guide(desk.inbox(), columns);
    const peeked = screenText(screenOf, columns, { coloured: context.out.style !== plain });
    const before = desk.inbox();
    const lines = desk.draw({ columns, rows: all - above.length, peeked });
    screen.draw([...above, ...lines].join("\n"));
    if (desk.inbox() !== before) redraw(); // it says what has been seen
  };
  const redraw = () => {
    if (!abort.aborted && lent === null) drawing ??= setTimeout(draw, FRAME_MS); // news after the end must not draw on the shell
  };
  /** Lets something change the inbox, and does what follows from it. */
  const change = (happen: () => DeskEffect[]) => {
    const before = desk.inbox();
    const effects = happen();
    const after = desk.inbox();
    if (after.mode !== before.mode) peek(after);
    for (const effect of effects) void act(effect);
    redraw();
  };
  const put = (input: Input) => {
    change(() => desk.put(input));
    notices.after(input, desk.inbox());
  };
  const act = async (effect: DeskEffect) => {
    if (effect.type === "quit") ending.abort();
    else if (effect.type === "edit") lend(() => edit(effect));
    else if (effect.type === "commands") await offer();
    else if (effect.type === "run") await run(effect.run);
    else if (effect.type === "fleet" || effect.type === "follow-fleet" || effect.type === "leave-fleet")
      await onFleet(effect);
    else await perform(client, (url) => openUrl(url, context.config.env), effect, put);
  };

  const onFleet = makeFleetWork({
    ...{ context, query, abort, put, lend },
    show(fleet) {
      desk.showFleet(fleet);
      redraw();
    },
  });
  const offer = async () => {
    const { commands } = await client.commands({ cwd: context.config.cwd }).catch(() => ({ commands: [] }));
    desk.offer(commands);
    redraw();
  };
  const run = async ({ command, argv, named }: Run) => {
    const { cwd, project, env } = context.config;
    const text = await client.run({ cwd, project, command, argv, named, env: { ...env } }).then(
      (started) => `started ${command}: ${"job_id" in started ? started.job_id : started.crew_id}`,
      (error: Error) => `${command} was not started: ${error.message}`,
    );
    put({ type: "noted", text });
  };

  /** Something else has the terminal until it ends. */
  function lend(work: () => Promise<void>): void {
    if (drawing) clearTimeout(drawing);
    drawing = null;
    keyboard.close();
    screen.close();
    lent = work().finally(() => {
      if (abort.aborted) return;
      screen = openScreen();
      keyboard = listen();
      lent = null;
      redraw();
    });
  }

  async function edit({ id, text, ending: name }: Extract<Effect, { type: "edit" }>): Promise<void> {
    const edited = await inEditor(text, `call${name}`, context.config.env).catch((error: Error) => error);
    if (edited instanceof Error) return put({ type: "noted", text: edited.message });
    put({ type: "edited", id, text: leftAs(formOf(desk.inbox(), id), text, edited) });
    put({ type: "noted", text: editedWords(desk.inbox(), id) });
  }

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
    notices.close();
    screen.close();
  }

  async function typing(): Promise<void> {
    while (!abort.aborted) {
      const key = await keyboard.next(abort).catch(() => null);
      if (key === null) return;
      change(() => desk.press(key));
      if (lent !== null) await lent;
    }
  }
}

const TYPES = ["decision:*", "escalation:*", "notice:*", "job:*", "crew:*", "policy:*", "audit:erased"];

/** Loads the list, then follows the events, across restarts of the daemon. */
async function follow(
  context: Context,
  client: ApiClient,
  query: Pick<EventQuery, "project">,
  put: (input: Input) => void,
  abort: AbortSignal,
): Promise<void> {
  const gone = context.remote ? "away" : "offline";
  const quiet: Context = {
    ...context,
    abort,
    out: { ...context.out, say: () => put({ type: "connection", state: gone }) },
  };
  let wasFull = false;
  await patiently(quiet, null, async () => {
    await context.client.health(); // starts the daemon if it is not running
    const { seq, decisions } = await client.briefs(query);
    put({ type: "listed", briefs: decisions });
    const failed = async () => put({ type: "failed", runs: await client.failedRuns(query) });
    await failed();
    /** They take a while to find, and nobody waits for them. On another machine there are none. */
    const suggested = () =>
      void client.suggestions(query).then(
        (suggestions) => put({ type: "suggested", suggestions }),
        () => {},
      );
    suggested();
    const live = () => {
      put({ type: "connection", state: "live" });
      if (wasFull) put({ type: "noted", text: "live again" }); // else it still said why it was not
      wasFull = false;
    };
    const hear = async () => {
      for await (const events of batches(client.events({ ...query, after: seq, types: TYPES }, live), 0)) {
        put({ type: "events", events });
        if (concernsFailures(events)) await failed();
        if (concernsSuggestions(events)) suggested();
      }
    };
    const full = (why: Refusal) => {
      wasFull = true;
      put({ type: "connection", state: "full" });
      put({ type: "noted", text: fullWords(why) });
    };
    try {
      await whenRoom({ abort, isOver: () => false, full }, hear);
    } finally {
      put({ type: "connection", state: gone });
    }
    throw stopped();
  }).catch((error) => {
    if (!abort.aborted) throw error;
  });
}
