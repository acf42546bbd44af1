/** A live view of an agent's terminal: drawn again whenever its screen has changed. */
import type { ApiClient } from "../../api/api.ts";
import type { Look, Piece } from "../../inbox/ansi.ts";
import { screenLines } from "../../inbox/ansi.ts";
import { truncate, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";

/** Lasts until the agent has ended or it is aborted. */
export async function watchScreen(
  client: Pick<ApiClient, "agentScreens">,
  agent_id: string,
  show: (text: string) => void,
  abort: AbortSignal,
): Promise<void> {
  for await (const screen of client.agentScreens(agent_id, { ansi: true })) if (!abort.aborted) show(screen);
}

/** The screen's lines with their colours, and without any other control sequence. */
export function screenText(text: string, width: number, { coloured }: { coloured: boolean }): string[] {
  const lines = screenLines(text.replace(/\s+$/, ""));
  return lines.map((pieces) => {
    let room = width;
    return pieces
      .map((piece) => {
        const cut = truncate(safeLine(piece.text), room);
        room -= widthOf(cut);
        return coloured ? painted({ ...piece, text: cut }) : cut;
      })
      .join("");
  });
}

function painted({ text, look }: Piece): string {
  const codes = codesOf(look);
  return codes.length === 0 || text === "" ? text : `\u001b[${codes.join(";")}m${text}\u001b[0m`;
}

function codesOf({ colour, background, bold, dim, italic, underline, inverse }: Look): string[] {
  return [
    ...(bold ? ["1"] : []),
    ...(dim ? ["2"] : []),
    ...(italic ? ["3"] : []),
    ...(underline ? ["4"] : []),
    ...(inverse ? ["7"] : []),
    ...colourCodes(38, colour),
    ...colourCodes(48, background),
  ];
}

function colourCodes(kind: 38 | 48, colour: Look["colour"]): string[] {
  if (colour === null) return [];
  if (typeof colour === "number") return [`${kind};5;${colour}`];
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [`${kind};2;${r};${g};${b}`];
}
