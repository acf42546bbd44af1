/**
 * What every channel's tests walk through: texts that a service would obey, and secrets that must not leave the machine.
 * Secrets are put together here, so that no scanner takes this file for a leak.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { hostileTexts } from "./hostile-texts.ts";

/** Texts that a chat, a mail reader, a phone or a protocol would obey, hide, or choke on. */
export const reachTexts: readonly string[] = [
  ...["<!channel>", "<!here>", "<!everyone>", "<@U012AB3CD>", "<#C012AB3CD|general>", "@everyone", "@here"],
  ...["@channel", "<!subteam^S012AB3CD>", "<!date^1392734382^{date}|now>", "tg://user?id=42", "@oddjobs_bot"],
  ...["`rm -rf /`", "```\nrm -rf /\n```", "``` `` ` ```", "*bold* _italic_ ~gone~", "__under__ ||spoiler||"],
  ...[
    "<https://evil.example|click here>",
    "[click](https://evil.example)",
    "![x](https://evil.example/p.png)",
  ],
  ...[
    "[x](tg://user?id=1)",
    "[a](javascript:hit())",
    "https://evil.example/pixel.png",
    "mailto:x@evil.example",
  ],
  ...[
    "_*[]()~`>#+-=|{}.!\\",
    "\\_\\*\\[\\]",
    "&lt;script&gt;",
    "&amp;amp;",
    "<b>bold</b>",
    "<pre><code>x</code></pre>",
  ],
  ...[
    '<a href="https://evil.example">x</a>',
    "<tg-spoiler>x</tg-spoiler>",
    "<blink>",
    "</b></i>",
    "<",
    ">",
    "&",
  ],
  ...[
    "a\r\nBcc: everyone@example.com",
    "a\nX-Priority: 1",
    "a\r\n\r\nbody",
    "a\r\n.\r\nMAIL FROM:<x>",
    "a\0b",
  ],
  ...[
    "=?utf-8?B?SGVsbG8=?=",
    "Title\r\nActions: http, Approve, https://evil.example",
    "a\u2028b\u2029c\u0085d",
  ],
  ...[
    "\u202eevissim\u202c",
    "\u2066hidden\u2069",
    "\u05e9\u05dc\u05d5\u05dd \u202dabc",
    "\u0645\u0631\u062d\u0628\u0627",
  ],
  ...[
    "zero\u200bwidth\u200c\u200d\ufeff",
    "\u00adsoft",
    "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308",
  ],
  ...[
    "\ud800",
    "\udc00x",
    "x\ud83d",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
    "\u{1f1e9}\u{1f1ea}",
    "\u0007\u001b[31m",
  ],
  ...[
    "/start",
    "/oj",
    "!approve",
    "#1",
    "1",
    "> 1",
    "-- \n1",
    "STOP",
    "\u0000",
    " ",
    "\n\n\n",
    "\t",
    "%s%n%x",
    "${HOME}",
  ],
  ...[
    "{{constructor}}",
    "{{.}}",
    "$(id)",
    "; rm -rf /",
    "#{pane_id}",
    "#[fg=red]",
    "#(rm -rf /)",
    "%{url}",
    "'\"`",
  ],
  "x".repeat(5000),
  "\u{1f600}".repeat(3000),
  "wide \u4e16\u754c ".repeat(700),
  `${"a".repeat(2999)}\u{1f600}`,
  "line\n".repeat(2000),
  ...hostileTexts,
];

export interface Secret {
  kind: string;
  /** What a person or an agent wrote. */
  text: string;
  /** What of it must not leave. */
  secret: string;
}

const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX = "0123456789abcdef";

let seed = 20_261_116;
/** As random as a secret, and the same in every run. */
function body(length: number, letters = ALNUM): string {
  let made = "";
  while (made.length < length) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    made += letters[(seed >>> 16) % letters.length];
  }
  return `${made.slice(0, length - 2)}${letters === ALNUM ? "7k" : made.slice(length - 2)}`;
}

/** Those with a shape of their own: found wherever they stand. */
const shaped: readonly (readonly [kind: string, secret: string])[] = [
  ["AWS", `${"AKIA"}${body(16, UPPER)}`],
  ["AWS", `${"ASIA"}${body(16, UPPER)}`],
  ["Google", `${"AIza"}${body(35)}`],
  ["Google", `${"ya29."}${body(60)}`],
  ["Google", `${"GOCSPX-"}${body(28)}`],
  ["GitHub, old", `${"ghp_"}${body(36)}`],
  ["GitHub, old", `${"gho_"}${body(36)}`],
  ["GitHub, old", `${"ghs_"}${body(36)}`],
  ["GitHub, new", `${"github_pat_"}${body(22)}_${body(59)}`],
  ["GitLab", `${"glpat-"}${body(20)}`],
  ["GitLab", `${"glrt-"}${body(20)}`],
  ["Slack", `${"xoxb-"}${body(12, HEX)}-${body(12, HEX)}-${body(24)}`],
  ["Slack", `${"xapp-"}1-A${body(10)}-${body(13, HEX)}-${body(64, HEX)}`],
  ["Slack", `https://${"hooks.slack.com/services/"}T${body(8)}/B${body(8)}/${body(24)}`],
  ["Stripe", `${"sk_live_"}${body(24)}`],
  ["Stripe", `${"rk_live_"}${body(24)}`],
  ["Standard Webhooks", `${"whsec_"}${body(32)}`],
  ["npm", `${"npm_"}${body(36)}`],
  ["PyPI", `${"pypi-"}AgEIcHlwaS5vcmc${body(70)}`],
  ["Docker Hub", `${"dckr_pat_"}${body(27)}`],
  ["OpenAI", `${"sk-"}${body(48)}`],
  ["OpenAI", `${"sk-proj-"}${body(60)}`],
  ["Anthropic", `${"sk-ant-"}api03-${body(90)}AA`],
  ["Hugging Face", `${"hf_"}${body(34)}`],
  ["SendGrid", `${"SG."}${body(22)}.${body(43)}`],
  ["DigitalOcean", `${"dop_v1_"}${body(64, HEX)}`],
  ["Vault", `${"hvs."}${body(90)}`],
  ["Linear", `${"lin_api_"}${body(40)}`],
  ["Shopify", `${"shpat_"}${body(32, HEX)}`],
  ["Telegram", `${"704912345"}:AA${body(33)}`],
  ["Discord", `${"M"}${body(23)}.${body(6)}.${body(38)}`],
  ["Mailgun", `${"key-"}${body(32, HEX)}`],
  ["Databricks", `${"dapi"}${body(32, HEX)}`],
  ["Grafana", `${"glsa_"}${body(32)}_${body(8, HEX)}`],
  ["Tailscale", `${"tskey-"}auth-${body(12)}-${body(32)}`],
  ["age", `${"AGE-SECRET-KEY-1"}${body(58, UPPER)}`],
  ["JWT", `${"eyJ"}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0${body(20)}.${body(43)}`],
  ["Oddjobs", `${"ojm_"}${body(43)}`],
];

const around: readonly ((secret: string) => string)[] = [
  (it) => it,
  (it) => `the key is ${it}, keep it safe`,
  (it) => `export SOMETHING=${it} && make deploy`,
  (it) => `{"value":"${it}","next":1}`,
  (it) => `+  const it = '${it}';`,
  (it) => `curl https://api.example.com/v1?x=${it}&y=1`,
];

/** Those that are known by the words around them. */
const placed: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ["password in a URL", "git clone https://ana:", "hunter2", "@git.example.com/shop.git"],
  ["password in a URL", "postgres://app:", body(20), "@db.internal:5432/shop?sslmode=require"],
  ["password in a URL", "redis://:", "p%40ssw0rd", "@cache:6379/0"],
  ["password in a URL", "mongodb+srv://root:", "correcthorse", "@cluster0.example.net/"],
  ["password in a URL", "amqp://guest:", "gu3st!", "@queue"],
  ["token in a URL", "git push https://", body(40), "@github.example.com/shop"],
  ["connection string", "Server=tcp:db;User Id=sa;Password=", "Sw0rdfish!", ";Encrypt=true"],
  ["connection string", "host=db user=app password=", "swordfish", " dbname=shop"],
  ["connection string", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=", `${body(86)}==`, ";"],
  ["setting", "password=", "hunter2", ""],
  ["setting", "password = '", "hunter2!", "'"],
  ["setting", 'password: "', "s3cr3t-value", '"'],
  ["setting", "db_password: ", "hunter2", "\nuser: ana"],
  ["setting", '"client_secret": "', body(24), '",'],
  ["setting", '{\\"api_key\\":\\"', body(32, HEX), '\\"}'],
  ["setting", "aws_secret_access_key = ", body(40), "\nregion = eu-central-1"],
  ["setting", "  token: '", body(30), "',"],
  ["setting", "secretKey := `", body(30), "`"],
  [".env", "PASSWORD=", "letmein", "\n"],
  [".env", "STRIPE_SECRET=", body(20), ""],
  [".env", "DATABASE_PASSWORD=", "horse battery".replace(" ", "-"), "\nPORT=1"],
  [".env", 'export API_TOKEN="', body(24), '"'],
  [".env", "AWS_SECRET_ACCESS_KEY=", `${body(20)}/${body(19)}`, " aws s3 ls"],
  [".env", "PGPASSWORD=", "swordfish", " psql -h db"],
  ["flag", "deploy --password ", "hunter2", " --host db"],
  ["flag", "deploy --password ", "swordfish", " --host db"],
  ["flag", "vault login --token=", body(24), ""],
  ["flag", "tool --api-key '", body(32), "' run"],
  ["flag", '["--auth-token", "', body(20), '"]'],
  ["flag", "java -Dpassword=", "hunter2", " -jar x.jar"],
  ["flag", "helm upgrade x --set db-password=", "Tr0ub4dor", ""],
  ["curl", "curl -u ana:", "hunter2", " https://example.com"],
  ["curl", "curl --user 'ana:", "swordfish", "' https://example.com"],
  ["mysql", "mysql -uroot -p", "hunter2", " shop"],
  ["sshpass", "sshpass -p '", "hunter2", "' ssh ana@example.com"],
  ["docker login", "docker login -u ana -p ", "hunter2", " registry.example.com"],
  [".netrc", "machine example.com login ana password ", "swordfish", ""],
  [".npmrc", "//registry.npmjs.org/:_authToken=", "2f9d7c1e-8a45-4b1c-9d2e-77f3a0b1c2d3", ""],
  ["docker config", '{"auths":{"x":{"auth":"', "YW5hOmh1bnRlcjI=", '"}}}'],
  ["header", 'curl -H "Authorization: Bearer ', body(30), '" https://example.com'],
  ["header", "Authorization: Basic ", "YW5hOmh1bnRlcjI=", "\r\nAccept: */*"],
  ["header", '{"Authorization": "token ', body(20), '"}'],
  ["header", "headers: { authorization: 'Bearer ", "opaque-token-value", "' }"],
  ["header", 'curl -H "X-Api-Key: ', body(24), '" https://example.com'],
  ["header", "x-auth-token: ", body(32, HEX), ""],
  ["cookie", "Cookie: session=", body(32), "; theme=dark"],
  ["cookie", "Set-Cookie: sid=", "s%3Aabc123def", "; Path=/; HttpOnly"],
  ["cookie", 'curl -H "Cookie: sid=', "plainvalue", '"'],
  ["signed address", "https://x.blob.core.windows.net/c/f?sv=2024&sig=", `${body(40)}%3D`, "&se=2026"],
  ["signed address", "https://s3.amazonaws.com/b/k?X-Amz-Signature=", body(64, HEX), ""],
];

const pem = (kind: string, lines: number, newline = "\n") => {
  const middle = Array.from({ length: lines }, () => body(64)).join(newline);
  return {
    kind: `${kind} private key`,
    text: `cat > key <<END${newline}-----BEGIN ${kind} PRIVATE KEY-----${newline}${middle}${newline}-----END ${kind} PRIVATE KEY-----`,
    secret: middle,
  };
};

export const secrets: readonly Secret[] = [
  ...shaped.flatMap(([kind, secret], at) =>
    [0, 1, 2, 3].map((step) => {
      const text = around[(at + step) % around.length]?.(secret) ?? secret;
      return { kind, text, secret };
    }),
  ),
  ...placed.map(([kind, before, secret, after]) => ({ kind, text: `${before}${secret}${after}`, secret })),
  pem("RSA", 25),
  pem("EC", 3),
  pem("OPENSSH", 6),
  pem("ENCRYPTED", 20, "\\n"),
  { ...pem("DSA", 4), text: pem("DSA", 4).text.split("-----END")[0] ?? "" },
].map((it) => ({ ...it, secret: it.secret.split(/\n|\\n/)[1] ?? it.secret }));

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Lines of our own sources and of the packages we use: programs, types, hashes, lists. None of them has a secret. */
export function* harmlessLines(atMost: number): Generator<string> {
  let left = atMost;
  for (const folder of ["src", "docs", "scripts", "package-lock.json", ...PACKAGES]) {
    for (const file of filesOf(path.join(root, folder))) {
      if (SPEAKS_OF_SECRETS.test(file)) continue;
      for (const line of fs.readFileSync(file, "utf8").split("\n")) {
        if (left-- === 0) return;
        yield line;
      }
    }
  }
}

/** Those with the most to mistake: tokens of parsers, passwords of mail servers, logins, tables, hashes. */
const PACKAGES = [
  ...["nodemailer", "imapflow", "@slack/web-api", "smtp-server", "ws", "hono", "zod", "typescript", "marked"],
  ...[
    "puppeteer-core",
    "playwright-core",
    "postal-mime",
    "acorn",
    "jsonc-parser",
    "devtools-protocol",
    "axe-core",
  ],
].map((it) => path.join("node_modules", it));

/** Our own tables of secrets, what is written about them, and tests, which are full of invented ones. */
const SPEAKS_OF_SECRETS = /core\/text\/(?:redact|secrets)|docs\/redaction|\.test\.ts$/;

function* filesOf(folder: string): Generator<string> {
  if (!fs.existsSync(folder)) return;
  if (fs.statSync(folder).isFile()) yield folder;
  else
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) yield* filesOf(name);
      else if (/\.(?:[cm]?[jt]s|json|hcl|css|html)$/.test(entry.name)) yield name;
    }
}
