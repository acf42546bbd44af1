/** The agent's terminal, live, with its colours and its scrollback. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AgentView } from "../../api/api.ts";
import type { Look, Piece } from "../../inbox/ansi.ts";
import { screenLines } from "../../inbox/ansi.ts";
import { safeLine } from "../../text/safe.ts";
import { client, errorOf } from "../base/api.ts";
import { webClient } from "../base/client.ts";
import { Scrolls } from "./scrolls.tsx";

export function Peek({ agentId }: { agentId: string }) {
  const { screen, agent, trouble } = useScreen(agentId);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && atEnd.current && screen !== null) element.scrollTop = element.scrollHeight;
  }, [screen]);
  return (
    <>
      <p class="quiet peek-head">
        {agent ? `${safeLine(agent.name)} · ${agent.status} · ${agentId}` : agentId}
        {trouble === null && screen !== null && <span class="tag live">live</span>}
      </p>
      {trouble !== null && (
        <p class="trouble" role="alert">
          {safeLine(trouble)}
        </p>
      )}
      <Scrolls
        kind="terminal"
        label="Terminal"
        box={box}
        autofocus
        onScroll={(it) => {
          atEnd.current = it.scrollTop + it.clientHeight >= it.scrollHeight - 4;
        }}
      >
        <pre>
          {screen === null
            ? "Loading…"
            : screenLines(screen).map((line, at) => <Line key={at} pieces={line} />)}
        </pre>
      </Scrolls>
    </>
  );
}

function Line({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map(({ text, look }, at) => (
        <span key={at} class={classOf(look)} style={styleOf(look)}>
          {safeLine(text)}
        </span>
      ))}
      {"\n"}
    </>
  );
}

function classOf({ bold, dim, italic, underline }: Look): string {
  return [bold && "bold", dim && "dim", italic && "italic", underline && "underline"]
    .filter((it) => it)
    .join(" ");
}

/** Each property is set on the element's style, which the page's policy allows; a look contains nothing but colours. */
function styleOf({ colour, background, inverse }: Look): Record<string, string> {
  const [front, back] = inverse ? [background, colour] : [colour, background];
  return {
    ...(front !== null || inverse ? { color: cssOf(front) ?? "var(--terminal)" } : {}),
    ...(back !== null || inverse ? { backgroundColor: cssOf(back) ?? "var(--terminal-text)" } : {}),
  };
}

const BASIC = [
  "#6e7681",
  "#ff7b72",
  "#56d364",
  "#e3b341",
  "#79c0ff",
  "#d2a8ff",
  "#76e3ea",
  "#d5dae1",
  "#8b949e",
  "#ffa198",
  "#7ee787",
  "#f2cc60",
  "#a5d6ff",
  "#e2c5ff",
  "#b3f0ff",
  "#ffffff",
];

function cssOf(colour: number | string | null): string | null {
  if (colour === null || typeof colour === "string") return colour;
  if (colour < 16) return BASIC[colour] ?? null;
  if (colour >= 232) return grey(8 + (colour - 232) * 10);
  const [r, g, b] = [36, 6, 1]
    .map((it) => Math.floor((colour - 16) / it) % 6)
    .map((it) => (it ? 55 + it * 40 : 0));
  return `rgb(${r},${g},${b})`;
}

function grey(level: number): string {
  return `rgb(${level},${level},${level})`;
}

/** How many lines of scrollback are shown. */
const SCROLLBACK = 1000;

/** Lasts until the agent has ended or nobody is looking any more. */
async function follow(agentId: string, abort: AbortSignal, show: (text: string) => void): Promise<void> {
  const screens = webClient(abort).agentScreens(agentId, { ansi: true, history: SCROLLBACK });
  for await (const screen of screens) if (!abort.aborted) show(screen);
}

/** How many of the six connections that a browser allows us may be taken by terminals, in all tabs together. */
const MOST_LIVE = 3;

const TOO_MANY = `${MOST_LIVE} other tabs are showing a terminal: close one of them to make this one live`;

/** Starts `work` when one of them is free; calls `waits` if none is free yet. */
async function whenFree(abort: AbortSignal, work: () => Promise<void>, waits: () => void): Promise<void> {
  if (!("locks" in navigator)) return work();
  const names = Array.from({ length: MOST_LIVE }, (_, at) => `oj-peek-${at}`);
  for (const name of names) {
    const got = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await work();
      return lock !== null;
    });
    if (got || abort.aborted) return;
  }
  waits();
  const name = names[Math.floor(Math.random() * MOST_LIVE)] ?? "";
  await navigator.locks.request(name, { signal: abort }, work);
}

function useScreen(agentId: string) {
  const [screen, setScreen] = useState<string | null>(null);
  const [agent, setAgent] = useState<AgentView | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const failed = (error: unknown) => {
      if (!abort.signal.aborted) setTrouble(errorOf(error).message);
    };
    client.agent(agentId).then((it) => !abort.signal.aborted && setAgent(it), failed);
    const look = async () => {
      setTrouble(null);
      await follow(agentId, abort.signal, (it) => setScreen(it.trimEnd()));
      if (!abort.signal.aborted) setTrouble("the terminal has ended");
    };
    whenFree(abort.signal, look, () => setTrouble(TOO_MANY)).catch(failed);
    return () => abort.abort();
  }, [agentId]);
  return { screen, agent, trouble };
}
