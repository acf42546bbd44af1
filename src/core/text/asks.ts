/**
 * Whether an agent's last words ask a person something, and which of them do. It reads English best; in other languages
 * the question mark has to do. Where it is in doubt, the agent has merely stopped.
 */

/** The question or request that the message leaves open; null if the agent has only said something. */
export function questionIn(message: string): string | null {
  const blocks = blocksOf(message).slice(-MOST_BLOCKS);
  let isLast = true;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at] as Block;
    const lead = blocks.slice(0, at).findLast((it) => !it.isItem);
    const found = block.isItem ? itemAsks(block, lead) : asksIn(block.text, isLast);
    if (found !== null) return found;
    // options, remarks and good wishes may follow a question; a plain statement ends what is still open
    if (!block.isItem && !isAside(block.text)) isLast = false;
  }
  return null;
}

const MOST_BLOCKS = 12;
const LONGEST_BLOCK = 2000;

/** A paragraph, or one item of a list. */
interface Block {
  text: string;
  isItem: boolean;
}

const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)]|\(?[a-zA-Z][.)])\s+/;
const TICKED = /^\s*[-*+]\s+\[[xX]\]/;
const FENCE = /^\s*(?:```|~~~)/;
const APART = /^\s*(?:>|#{1,6}\s|\||-{3,}\s*$)/;

/** Code, quotes, tables and headings are not the agent's own sentences. */
function blocksOf(message: string): Block[] {
  const blocks: Block[] = [];
  let inCode = false;
  let isOpen = false;
  for (const line of message.split(/\r?\n/)) {
    if (FENCE.test(line)) inCode = !inCode;
    if (inCode || FENCE.test(line) || APART.test(line) || TICKED.test(line) || line.trim() === "") {
      isOpen = false;
      continue;
    }
    const isItem = ITEM.test(line);
    const text = line.replace(ITEM, "").trim();
    const last = blocks.at(-1);
    if (last && isOpen && !isItem) last.text = `${last.text} ${text}`.slice(-LONGEST_BLOCK);
    else blocks.push({ text: text.slice(-LONGEST_BLOCK), isItem });
    isOpen = true;
  }
  return blocks;
}

/** A question in a list waits for an answer, unless the list says what was dealt with. */
function itemAsks({ text }: Block, lead: Block | undefined): string | null {
  if (lead && DEALT_WITH.test(lead.text)) return null;
  const last = sentencesOf(text).at(-1);
  return last && isQuestion(last.plain) && !isPoliteness(last.plain) ? last.text : null;
}

const DEALT_WITH =
  /\b(?:answers?|answered|covers?|covered|checks?|checked|handles?|handled|resolved|settled|faq|tests?|asserts?|logs?|prints?|docs?|documents?|page)\b/i;

/**
 * What a paragraph asks. With `isLast`, nothing but asides comes after it: any question at its end counts. Otherwise
 * only what is put to the person directly does.
 */
function asksIn(paragraph: string, isLast: boolean): string | null {
  const sentences = sentencesOf(paragraph);
  let atEnd = isLast;
  for (let at = sentences.length - 1; at >= 0; at--) {
    const { text, plain } = sentences[at] as Sentence;
    if (isPoliteness(plain)) continue;
    const isAnswered = REPLIES_ITSELF.test(sentences[at + 1]?.plain ?? "");
    if (atEnd && isRequest(plain)) return text;
    if (isQuestion(plain) && !isAnswered && (atEnd || (isLast && isDirect(plain)))) return text;
    if (!isAside(plain)) atEnd = false;
  }
  return null;
}

/** `Is it safe? Yes.`: the agent has answered its own question. */
const REPLIES_ITSELF =
  /^(?:yes|no|yep|nope|because|since|so i\b|i (?:decided|chose|went|did|have(?! not)|fixed|found|checked)\b|it turns? out|turns out|the answer|apparently|simple|short answer|it was|that was|it is because|not anymore)/i;

function isQuestion(sentence: string): boolean {
  if (/\b(?:reads|says|asks|shows|prints|outputs|reports|said|asked):\s/i.test(sentence)) return false; // reported
  return (
    /[?？؟](?:[\s"'”’)*_\]»]|:\w+:)*$/u.test(sentence) || /(?:ですか|ますか|でしょうか)[。.]?$/.test(sentence)
  );
}

/** It is put to the person: about what they want, or what the agent may do. */
function isDirect(sentence: string): boolean {
  return DIRECT.some((it) => it.test(sentence));
}

const DIRECT = [
  /^(?:and |but |so |or |also,? |otherwise,? |then |before (?:that|i [\w ]{1,40}),? |if so,? )?(?:shall|should|may|can|could|must) i\b/i,
  /^(?:and |but |so |or |also,? )?(?:do|would|could|can|will|did) you\b/i,
  /^(?:and |but |so |or )?(?:should|shall|can|could) (?:we|this|it|the|these|those|they)\b.*[?？]/i,
  /\b(?:do|would|did|could|can) you (?:want|like|prefer|need|mean|rather|mind|approve|confirm|agree|have|know|think)\b/i,
  /^(?:which|what|how|where|when|who)\b.*\b(?:you|should i|shall i|do i|can i|me to|should we|do we)\b/i,
  /^(?:ok|okay|alright|fine|ready|happy|good) (?:to|for me to|with you|if i)\b.*[?？]/i,
  /\bwant me to\b.*[?？]/i,
];

function isRequest(sentence: string): boolean {
  return REQUESTS.some((it) => it.test(sentence)) || BARE.some((it) => it.test(sentence));
}

/** Questions whose mark was forgotten. */
const BARE = [/^(?:shall|should|may) i\b/i, /^(?:do|would|could) you (?:want|like|prefer|mind|confirm)\b/i];

/** Requests without a question mark. */
const REQUESTS = [
  /\blet me know (?:which|what|how|whether|when|where|who|your|the|once|as soon)\b/i,
  /\blet me know if (?:i|we|it is ok|it's ok|that is ok|that's ok|this is ok|you approve|you agree|you(?:'d| would) rather|you(?:'d| would)? prefer)\b/i,
  /\b(?:tell|show) me (?:which|what|how|whether|when|where|who|if i)\b/i,
  /\bplease (?:also )?(?:confirm|advise|choose|decide|pick|select|provide|share|send|specify|clarify|approve|answer|reply|respond|tell me|paste|grant|supply|indicate|review and (?:approve|confirm)|let me know (?!if))/i,
  /^(?:confirm|choose|pick|advise|reply|answer|say|type)\b[^.]{0,60}\b(?:and i(?:'ll| will)|to (?:proceed|continue|go on)|before i|yes|no|one of)\b/i,
  /\b(?:i(?:'m| am)|we(?:'re| are))? ?(?:still )?(?:waiting|awaiting|blocked)\b[^.]{0,40}\b(?:your|you|confirmation|approval|a decision|input|an answer|a person)\b/i,
  /\bi(?:'ll| will) (?:wait|hold off|pause|hold|stop here)\b[^.]{0,40}\b(?:your|you|confirmation|approval|until|for a)\b/i,
  /\b(?:i|we)(?:'d| would)?(?:'ll| will)? ?(?:need|require|would need)\b[^.]{0,30}\b(?:you to|your|from you|to know (?:which|what|how|whether|if|where|when|who)|a (?:decision|choice|person|human|yes)|clarification|confirmation|approval|permission|input|credentials|the (?:password|token|api key|key|credentials|url))\b/i,
  /\b(?:your call|up to you|you decide|your choice|your move|over to you)\b/i,
  /\b(?:once|as soon as|after|when) you(?:'ve| have)? (?:confirm|tell|provide|answer|decide|approve|choose|pick|reply|let me know|give|share|sign)\w*\b/i,
  /\b(?:can't|cannot|can not|won't|will not|unable to) (?:go on|proceed|continue|go further|finish)\b[^.]{0,40}\b(?:until|unless|without) (?:you|your|a decision|an answer|approval|confirmation)\b/i,
  /\bi(?:'d| would) (?:like|appreciate|love) (?:your|a) (?:input|opinion|decision|confirmation|approval|guidance|go-ahead|feedback|steer)\b/i,
];

/** Said out of politeness: nothing waits for an answer. */
function isPoliteness(sentence: string): boolean {
  if (POLITE.some((it) => it.test(sentence))) return true;
  return /^let me know if\b/i.test(sentence) && !isRequest(sentence);
}

const POLITE = [
  /\banything else\b/i,
  /^(?:any )?(?:other )?(?:questions|thoughts|comments)\b[^.]{0,20}[?？]/i,
  /\b(?:have|got) any (?:more |further |other )?(?:questions|concerns|comments)\b/i,
  /^(?:how|what) (?:else )?can i (?:help|assist|do for)\b/i,
  /\bfeel free to\b/i,
  /\b(?:happy|glad) to (?:help|adjust|iterate|explain|elaborate|make)\b/i,
];

/** It may follow a question without taking it back: a recommendation, thanks, or what happens after the answer. */
function isAside(text: string): boolean {
  return sentencesOf(text).every(
    ({ plain }) => isPoliteness(plain) || ASIDE.some((pattern) => pattern.test(plain)),
  );
}

const ASIDE = [
  /^(?:thanks|thank you|cheers|no rush|take your time|otherwise|either way|if not|if so|if you|if yes|if no|in the meantime|meanwhile|until then|for now|note that|note:|ps|p\.s\.|by default|default:)/i,
  /^(?:i(?:'d| would) (?:recommend|suggest|go with|lean|prefer|pick|choose|say|vote)|i (?:recommend|suggest|lean|prefer|think|tend)|my (?:recommendation|preference|suggestion|vote|default|guess|pick)|recommended|recommendation)\b/i,
  /^(?:both|either|neither|each|all (?:three|of them)|option|the (?:first|second|third|former|latter|safer|simpler|default))\b/i,
  /^(?:i(?:'ll| will)|we(?:'ll| will)|i can|i have not|i haven't|i did not|i didn't|nothing (?:is|was|has)|i(?:'m| am) (?:fine|happy|ok|waiting|holding)|it is not|it's not)\b/i,
  /^(?:let me know|please (?:advise|confirm))[.!]?$/i,
  /^(?:the |it )?(?:\w+ ){0,3}(?:doesn't|does not|don't|do not|didn't) (?:say|mention|specify|tell|cover)\b/i,
  /:$/,
];

/** As it was said, and with the marks inside code, quotes and addresses blanked: those end no sentence. */
interface Sentence {
  text: string;
  plain: string;
}

function sentencesOf(text: string): Sentence[] {
  const plain = text.replace(APART_INSIDE, (it) => it.replace(/[.!?…？؟。]/g, "_"));
  const ends = [...plain.matchAll(ENDS)].map(({ index, 0: mark }) => index + mark.length);
  return [...ends, text.length]
    .map((end, at): Sentence => {
      const from = ends[at - 1] ?? 0;
      return { text: text.slice(from, end).trim(), plain: plain.slice(from, end).trim() };
    })
    .filter((it) => it.text !== "");
}

const APART_INSIDE = /`[^`]*`|"[^"]{0,300}"|“[^”]{0,300}”|https?:\/\/\S+/g;
const ENDS = /[。！？]+|[.!?؟…]+["'”’)*_\]»]*(?=\s|$)/g;
