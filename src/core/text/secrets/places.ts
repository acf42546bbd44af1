/**
 * Secrets that are known by the words around them: headers, flags, assignments, addresses. Such words are common in
 * code too, so what follows them must look like a value and not like a name, a type or a call (`values.ts`).
 */
import type { Setting } from "./values.ts";
import { hasDigits, isArgument, isReference, isSetting, looksRandom } from "./values.ts";

export interface Place {
  kind: string;
  /** Begins with a fixed word, and its repetitions are bounded or can't contain that word. */
  pattern: RegExp;
  /** Where in a match the secrets are; none if it was something else. `after`: the character that follows the match. */
  find(match: readonly (string | undefined)[], after: string): readonly Found[];
}

export interface Found {
  start: number;
  end: number;
}

const NAMES =
  "pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|" +
  "(?:api|access|account|admin|app|auth|client|deploy|encryption|master|private|secret|service|session|shared|signing|storage)[_-]?key";

/** What a value is made of: it ends at a space, a quote, or whatever ends an argument. */
const VALUE = "[^\\s\"'`,;&|<>(){}\\[\\]\\\\$]";

export const PLACES: readonly Place[] = [
  {
    // https://ana:hunter2@example.com, redis://:hunter2@cache
    kind: "password",
    pattern: /(:\/\/[^\s/@:"'`<>\\]{0,200}:)([^\s/@"'`<>\\]{1,300})@/g,
    find: ([all = "", before = "", secret = ""]) =>
      isReference(secret) ? [] : [{ start: before.length, end: all.length - 1 }],
  },
  {
    // https://TOKEN@example.com
    kind: "credential",
    pattern: /(:\/\/)([\w-]{16,200})@/g,
    find: ([all = "", before = "", secret = ""]) =>
      looksRandom(secret) ? [{ start: before.length, end: all.length - 1 }] : [],
  },
  {
    kind: "credential",
    pattern:
      /(authorization["'\\]{0,8}\s{0,4}[:=]\s{0,4}["'`\\]{0,8}(?:(basic|bearer|token|apikey|bot|negotiate)\s{1,4})?)([\w.~+/=:-]{6,})/gi,
    find: ([all = "", before = "", scheme, secret = ""]) =>
      scheme !== undefined || looksRandom(secret) ? rest(all, before) : [],
  },
  {
    kind: "credential",
    pattern: /(\bbearer[ \t]{1,4})([\w.~+/=-]{8,})/gi,
    find: ([all = "", before = "", secret = ""]) => (hasDigits(secret) ? rest(all, before) : []),
  },
  {
    kind: "cookie",
    pattern: /\bcookie["'\\]{0,8}\s{0,2}:\s{0,2}["'\\]{0,8}[^\r\n"'`]{4,4000}/gi,
    find: ([all = ""]) => cookies(all),
  },
  {
    // --password hunter2, --api-key=…, ["--token", "…"]
    kind: "value",
    pattern: new RegExp(
      `((?<![\\w-])--?[a-z-]{0,30}?(${NAMES})(?:=|[ \\t]{1,4}|[\\\\"']{1,8},\\s{0,8}[\\\\"']{1,8})[\\\\"']{0,8})(${VALUE}{3,})`,
      "gi",
    ),
    find: ([all = "", before = "", name = "", secret = ""], after) =>
      isArgument(name, secret, after) ? rest(all, before) : [],
  },
  {
    // curl -u ana:hunter2
    kind: "password",
    pattern: new RegExp(`([ \\t](?:-u|--user)[ =][\\\\"']{0,8}([\\w.@+-]{1,100}):)(${VALUE}{2,})`, "g"),
    find: ([all = "", before = "", user, secret = ""]) =>
      secret === user || /^\d+$/.test(secret) ? [] : rest(all, before),
  },
  {
    // sshpass -p hunter2, mysql -phunter2, docker login -u ana -p hunter2
    kind: "password",
    pattern: new RegExp(
      `(\\b(?:sshpass|mysql(?:dump|admin)?|docker login|podman login)[ \\t][^\\n|;&]{0,80}?-p[ \\t]?[\\\\"']{0,8})(${VALUE}{3,})`,
      "g",
    ),
    find: ([all = "", before = ""]) => rest(all, before),
  },
  {
    // machine example.com login ana password hunter2
    kind: "password",
    pattern: /(\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4})(\S{3,})/g,
    find: ([all = "", before = "", secret = ""]) => (isReference(secret) ? [] : rest(all, before)),
  },
  {
    // …?sig=… of a signed address
    kind: "signature",
    pattern:
      /([?&](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|code|key)=)([\w%+/=.-]{20,})/gi,
    find: ([all = "", before = "", secret = ""]) => (hasDigits(secret) ? rest(all, before) : []),
  },
  {
    kind: "Telegram token",
    pattern: /(?<!\w)\d{8,10}:AA[\w-]{30,}/g,
    find: ([all = ""]) => rest(all, ""),
  },
  {
    kind: "Discord token",
    pattern: /(?<!\w)[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g,
    find: ([all = ""]) => rest(all, ""),
  },
  {
    // the login of a registry, as Docker and npm keep it
    kind: "credential",
    pattern: /(["_]auth["'\\]{0,8}\s{0,4}[:=]\s{0,4}["'\\]{0,8})([A-Za-z0-9+/]{12,}={0,2})/g,
    find: ([all = "", before = "", secret = ""]) => (/[=\d]/.test(secret) ? rest(all, before) : []),
  },
  {
    // password = "…", "token": "…", API_KEY=…
    kind: "value",
    pattern: new RegExp(
      `((${NAMES})(?:_?\\d{1,3})?["'\\\\]{0,8}([ \\t]{0,4}(?::=|=>|=|:)[ \\t]{0,4}))` +
        `(?:(\\\\{0,7}"[^"\\n]{3,300}")|(\\\\{0,7}'[^'\\n]{3,300}'|\\x60[^\\x60\\n]{3,300}\\x60)|(${VALUE}{3,}))`,
      "gi",
    ),
    find: (match, after) => settings(match, after),
  },
];

/** Whether a text under this name is a secret: `{"password": "…"}`. */
export function isSecretName(name: string | null, value: string): boolean {
  return name !== null && SECRET_NAME.test(name) && value !== "" && !isReference(value);
}

const SECRET_NAME = new RegExp(`(?:^|[_.-]|(?<=[a-z])(?=[A-Z]))(?:${NAMES})$`, "i");

function settings(match: readonly (string | undefined)[], after: string): Found[] {
  const [all = "", before = "", name = "", separator = "", double, single, bare] = match;
  const quoted = double ?? single;
  if (quoted !== undefined) {
    const start = before.length + quoted.search(/[^\\]/) + 1;
    const end = start + all.slice(start, -1).replace(/\\+$/, "").length; // the quote may be escaped, in JSON within JSON
    const setting: Setting = { name, separator, value: all.slice(start, end), after, isQuoted: true };
    return isSetting(setting) ? [{ start, end }] : [];
  }
  const setting: Setting = { name, separator, value: bare ?? "", after, isQuoted: false };
  return isSetting(setting) ? rest(all, before) : [];
}

/** The value of each cookie; their names stay. */
function cookies(header: string): Found[] {
  return [...header.matchAll(/=([^;\s,]{4,})/g)].flatMap((it) =>
    isReference(it[1] ?? "") ? [] : [{ start: it.index + 1, end: it.index + it[0].length }],
  );
}

function rest(all: string, before: string): Found[] {
  return [{ start: before.length, end: all.length }];
}
