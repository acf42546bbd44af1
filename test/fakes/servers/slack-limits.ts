/** What Slack refuses in messages and modals: the limits it documents, and those that were found by trying. */

interface Json {
  [key: string]: unknown;
}

const SECTION = 3000;
const BUTTONS = 25;
const BUTTON_TEXT = 75;
const MESSAGE_BLOCKS = 50;
const MODAL_BLOCKS = 100;
/** `msg_blocks_too_long`: about this many characters in all blocks together. */
const MESSAGE_LENGTH = 13_200;
const MODAL_TITLE = 24;
const MOST_OPTIONS: Record<string, number> = {
  static_select: 100,
  multi_static_select: 100,
  radio_buttons: 10,
  checkboxes: 10,
};

/** What is wrong with the blocks of a message, in Slack's words; null if nothing is. */
export function messageProblem(blocks: unknown): { error: string; messages: string[] } | null {
  if (!Array.isArray(blocks)) return null;
  const messages = problemsIn(blocks, MESSAGE_BLOCKS);
  if (messages.length > 0) return { error: "invalid_blocks", messages };
  const length = textLength(blocks);
  return length > MESSAGE_LENGTH ? { error: "msg_blocks_too_long", messages: [`${length}`] } : null;
}

export function modalProblems(view: Json): string[] {
  const problems = problemsIn((view.blocks as Json[] | undefined) ?? [], MODAL_BLOCKS);
  if (view.type !== "modal") problems.push("a view must be a modal");
  for (const name of ["title", "submit", "close"] as const) {
    const text = view[name] as Json | undefined;
    if (text === undefined && name !== "title") continue;
    if (text?.type !== "plain_text" || lengthOf(text.text) > MODAL_TITLE || lengthOf(text.text) === 0)
      problems.push(`must be no more than ${MODAL_TITLE} characters [/view/${name}/text]`);
  }
  if (lengthOf(view.private_metadata ?? "") > 3000) problems.push("private_metadata is too long");
  const hasInput = ((view.blocks as Json[] | undefined) ?? []).some((it) => it.type === "input");
  if (hasInput && view.submit === undefined) problems.push("submit is missing");
  return problems;
}

function problemsIn(blocks: Json[], most: number): string[] {
  const problems: string[] = [];
  if (blocks.length > most) problems.push(`no more than ${most} items allowed [/blocks]`);
  const ids = blocks.map((it) => it.block_id).filter((it) => it !== undefined);
  if (new Set(ids).size !== ids.length) problems.push("block_id is not unique");
  for (const [at, block] of blocks.entries()) problems.push(...blockProblems(block, `/blocks/${at}`));
  return problems;
}

function blockProblems(block: Json, at: string): string[] {
  switch (block.type) {
    case "divider":
      return [];
    case "header":
      return textProblems(block.text, 150, `${at}/text`, ["plain_text"]);
    case "section": {
      const own = block.text === undefined ? [] : textProblems(block.text, SECTION, `${at}/text`);
      const accessory = block.accessory === undefined ? [] : elementProblems(block.accessory as Json, at);
      return [...own, ...accessory];
    }
    case "context": {
      const elements = (block.elements as Json[]) ?? [];
      const many = elements.length > 10 || elements.length === 0 ? [`1 to 10 elements [${at}]`] : [];
      return [...many, ...elements.flatMap((it) => textProblems(it, SECTION, at))];
    }
    case "actions": {
      const elements = (block.elements as Json[]) ?? [];
      const many =
        elements.length > BUTTONS || elements.length === 0
          ? [`no more than ${BUTTONS} elements [${at}]`]
          : [];
      const ids = elements.map((it) => it.action_id);
      const doubled = new Set(ids).size !== ids.length ? [`action_id is not unique [${at}]`] : [];
      return [...many, ...doubled, ...elements.flatMap((it) => elementProblems(it, at))];
    }
    case "input": {
      const label = textProblems(block.label, 2000, `${at}/label`, ["plain_text"]);
      const hint =
        block.hint === undefined ? [] : textProblems(block.hint, 2000, `${at}/hint`, ["plain_text"]);
      return [...label, ...hint, ...elementProblems(block.element as Json, at)];
    }
    default:
      return [`unsupported block: ${String(block.type)} [${at}]`];
  }
}

function elementProblems(element: Json | undefined, at: string): string[] {
  if (!element) return [`missing element [${at}]`];
  if (lengthOf(element.action_id ?? "") > 255) return [`action_id is too long [${at}]`];
  switch (element.type) {
    case "button": {
      const text = textProblems(element.text, BUTTON_TEXT, at, ["plain_text"]);
      if (lengthOf(element.value ?? "") > 2000) text.push(`value is too long [${at}]`);
      if (lengthOf(element.url ?? "") > 3000) text.push(`url is too long [${at}]`);
      if (element.style !== undefined && element.style !== "primary" && element.style !== "danger")
        text.push(`no such style [${at}]`);
      return text;
    }
    case "plain_text_input":
      return Number(element.max_length ?? 1) > 3000 ? [`max_length is above 3000 [${at}]`] : [];
    default:
      return choiceProblems(element, at);
  }
}

function choiceProblems(element: Json, at: string): string[] {
  const most = MOST_OPTIONS[String(element.type)];
  if (most === undefined) return [`unsupported element: ${String(element.type)} [${at}]`];
  const options = (element.options as Json[]) ?? [];
  if (options.length === 0 || options.length > most) return [`no more than ${most} options [${at}]`];
  return options.flatMap((it) => [
    ...textProblems(it.text, 75, at),
    ...(it.description === undefined ? [] : textProblems(it.description, 75, at)),
    ...(lengthOf(it.value) > 150 || lengthOf(it.value) === 0 ? [`value [${at}]`] : []),
  ]);
}

function textProblems(text: unknown, most: number, at: string, kinds = ["plain_text", "mrkdwn"]): string[] {
  const { type, text: words } = (text ?? {}) as Json;
  if (!kinds.includes(String(type)) || typeof words !== "string") return [`a text is missing [${at}]`];
  if (words.length === 0) return [`must be more than 0 characters [${at}]`];
  return words.length > most ? [`must be less than ${most + 1} characters [${at}]`] : [];
}

/** All that is shown; ids and values are not. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, it) => sum + textLength(it), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, it]) => sum + (key === "text" && typeof it === "string" ? it.length : textLength(it)),
    0,
  );
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}
