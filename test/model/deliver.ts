/** How the daemon delivers what core says is due: by the open hook, by keys, as words; and how tmux types. */
import { reads, settled } from "./client.ts";
import type { Label } from "./disk.ts";
import type { Here, Move } from "./moves.ts";
import { movesFrom, parcelOf, textOf } from "./moves.ts";
import { KEY } from "./outcomes.ts";
import type { Outside } from "./outside.ts";
import { endOf, shown, sight } from "./outside.ts";

export function deliveryMoves(here: Here): Move[] {
  const { it, outside, kept, disk, rules } = here;
  const { core } = rules;
  const { agent_id: id } = disk;
  const { moves, go, rule, seen } = movesFrom(here);
  if (outside.daemon !== "up") return moves;
  const { doing, waits, replied, said, told, keys } = outside;
  const idOf = (label: Label) => parcelOf(here, label)?.id ?? "gone";
  const isOpen = kept.agent.prompt?.key === KEY && parcelOf(here, "main")?.reply != null;

  if (replied) {
    const given = { id, parcel_id: idOf("main"), taken: false };
    const next = rule("answered", (state, moment) => core.dialogAnswered(state, given, moment));
    go("the daemon", "it is recorded that the dialog was answered", { replied: false }, next);
  }
  if (said) {
    const { label, incarnation } = said;
    const given = { id, incarnation, parcel_id: idOf(label), read: false };
    const next = rule(`said ${label} ${incarnation}`, (state, moment) =>
      core.wordsSaid(state, given, moment),
    );
    go(
      "the daemon",
      "it is recorded that the words were typed",
      {
        said: null,
        waits: outside.at !== "gone" && incarnation === kept.agent.incarnation ? [...waits, label] : waits,
      },
      next,
    );
  }
  if (told) {
    const { labels, incarnation } = told;
    const given = { id, incarnation, parcel_ids: labels.map(idOf) };
    const next = rule(`told ${labels} ${incarnation}`, (state, moment) =>
      core.wordsTold(state, given, moment),
    );
    go("the daemon", "it is recorded what the response told", { told: null }, next);
    if (outside.troubles > 0)
      go("trouble", "the disk is full: what the response told is not recorded", {
        ...{ told: null, troubles: outside.troubles - 1, excused: outside.excused + 1 },
      });
  }
  if (keys || replied || said) return moves;

  switch (doing?.step) {
    case undefined: {
      const effect = kept.due.find((one) => one.type === "deliver");
      if (effect?.type === "deliver") begin(kept.labelOf(effect.parcel));
      for (const it of waits) wait(it);
      break;
    }
    case "keys":
    case "touched": {
      const isTouched = doing.step === "touched";
      if (!isOpen) go("the daemon", "the dialog is settled", { doing: null, replied: isTouched });
      else if (shown(outside) === "dialog")
        go("the daemon", "presses the key", {
          keys: { what: "answer", label: doing.label, seen: sight(outside) },
        });
      else if (isTouched) go("the daemon", "the dialog has gone after a key", { doing: null, replied: true });
      else if (shown(outside) !== "nothing")
        go(
          "the daemon",
          "the dialog was gone before a key",
          { doing: null },
          seen({ type: "missed", key: KEY }),
        );
      else go("the daemon", "there is no terminal", { doing: null });
      break;
    }
    case "clear":
    case "paste":
    case "pasted":
    case "enter":
      if (/dialog|nothing/.test(shown(outside))) go("the daemon", "no words to a dialog", { doing: null });
      else if (doing.step === "clear" && !isDue(doing.label))
        go("the daemon", "it was told by now", { doing: null });
      else press(doing.label, doing.step === "pasted" || doing.step === "enter" ? "enter" : "paste");
  }
  return moves;

  function isDue(label: Label): boolean {
    const parcel = parcelOf(here, label);
    return parcel !== undefined && !parcel.told;
  }

  function begin(label: Label): void {
    const parcel = parcelOf(here, label);
    if (parcel?.reply && kept.agent.prompt?.key === parcel.prompt_key) {
      if (outside.hook === "open" && it.hook)
        return go("the daemon", "answers the hook", {
          hook: "none",
          response: true,
          replied: true,
          doing: null,
        });
      if (it.keys) return go("the daemon", "begins to press keys", { doing: { label, step: "keys" } });
      const file = outside.at === "runs" ? null : (endOf(it, outside)?.file ?? null);
      const end = rules.endOfLostChange(shown(outside), file);
      if (end === "later") return;
      if (end !== "lost") {
        const ended = seen({ type: "answered", key: KEY, ...end });
        return go("the daemon", "sees how the dialog ended", {}, ended);
      }
      const next = rule("lost", (state, moment) => core.changeLost(state, { id, key: KEY }, moment));
      return go("the daemon", "the change can't be delivered", {}, next);
    }
    const { incarnation } = kept.agent;
    const given = { id, incarnation, parcel_id: idOf(label), shown: outside.typed[label] };
    const next = rule(`saying ${label} ${given.shown}`, (state, moment) => core.saying(state, given, moment));
    go("the daemon", "notes what the terminal shows", { doing: { label, step: "clear" } }, next);
  }

  /** The words went out: their receipt comes, or they are submitted or said again. */
  function wait(label: Label): void {
    const parcel = parcelOf(here, label);
    if (!parcel) return go("the daemon", "has the receipt", { waits: waits.filter((it) => it !== label) });
    if (shown(outside) !== "idle" || outside.reports.length > 0) return;
    if (outside.composer === label) go("the daemon", "submits again", { doing: { label, step: "enter" } });
    else if (rules.looksBeforeRepeating && outside.typed[label] > (parcel.shown ?? 0))
      go(
        "the daemon",
        "sees that they were said",
        {},
        seen({ type: "submitted", text: textOf(here, [label]) }),
      );
    else go("the daemon", "says it again", { doing: { label, step: "clear" } });
  }

  function press(label: Label, what: "paste" | "enter"): void {
    go("the daemon", `has tmux type the ${what}`, {
      doing: { label, step: what },
      keys: { what, label, seen: sight(outside) },
    });
  }
}

/** tmux gets to it, seconds later if the machine is slow, and also if the daemon is dead by then. */
export function tmuxMoves(here: Here): Move[] {
  const { outside, rules } = here;
  const { keys, doing, at, composer, queued } = outside;
  const { moves, go } = movesFrom(here);
  if (!keys) return moves;
  const { what, label, seen } = keys;
  const { kept } = here;
  const { incarnation } = kept.agent;
  const done: Partial<Outside> = { keys: null };
  const afterwards = (reached: boolean): Partial<Outside> => {
    if (!doing) return {};
    if (what === "answer") return { doing: reached ? { label, step: "touched" } : doing };
    if (what === "paste") return { doing: reached ? { label, step: "pasted" } : null };
    return reached ? { doing: null, said: { label, incarnation } } : { doing: null };
  };
  if (at === "gone" || !rules.sees(seen, sight(outside)))
    go("the client", "tmux does not type: the screen changed", { ...done, ...afterwards(false) });
  else {
    const typed = { ...done, ...afterwards(true) };
    const name = `tmux types the ${what}`;
    const onto = shown(outside);
    const isMeant = what === "answer" ? onto === "dialog" : onto === "idle" || onto === "working";
    if (!isMeant)
      go("the client", name, typed, kept, `the ${what} was typed onto what nobody saw: ${sight(outside)}`);
    else if (what === "answer") go("the client", name, { ...typed, ...settled(here, 1) });
    else if (what === "paste") go("the client", name, { ...typed, composer: label });
    else if (composer !== label) go("the client", name, typed);
    else if (at === "idle") go("the client", name, { ...typed, ...reads(outside, label), composer: null });
    else go("the client", name, { ...typed, queued: [...queued, label], composer: null });
  }
  if (outside.troubles > 0 && rules.sees(seen, sight(outside))) {
    const reached = what !== "paste"; // a paste that is not seen is known not to have arrived
    go("trouble", `the ${what} gets lost`, {
      ...done,
      ...afterwards(reached),
      troubles: outside.troubles - 1,
    });
  }
  return moves;
}
