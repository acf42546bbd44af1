/** Secrets that are known by their own shape: each begins with a fixed text. */

const ALNUM = "[A-Za-z0-9]";
const WORD = "[\\w-]";

/** Kind, how it begins, and what follows. A body has one class and a least length, so a search never goes back. */
const KNOWN: readonly (readonly [kind: string, prefix: string, body: string])[] = [
  ["AWS key", "AKIA", "(?<![A-Za-z0-9]AKIA)[A-Z0-9]{16,}"],
  ["AWS key", "ASIA", "(?<![A-Za-z0-9]ASIA)[A-Z0-9]{16,}"],
  ["AWS key", "ABIA", "(?<![A-Za-z0-9]ABIA)[A-Z0-9]{16,}"],
  ["Google key", "AIza", `${WORD}{30,}`],
  ["Google token", "ya29.", `${WORD}{20,}`],
  ["Google secret", "GOCSPX-", `${WORD}{20,}`],
  ["GitHub token", "ghp_", `${ALNUM}{20,}`],
  ["GitHub token", "gho_", `${ALNUM}{20,}`],
  ["GitHub token", "ghu_", `${ALNUM}{20,}`],
  ["GitHub token", "ghs_", `${ALNUM}{20,}`],
  ["GitHub token", "ghr_", `${ALNUM}{20,}`],
  ["GitHub token", "github_pat_", "\\w{20,}"],
  ["GitLab token", "glpat-", "[\\w.-]{16,}"],
  ["GitLab token", "glrt-", "[\\w.-]{16,}"],
  ["GitLab token", "gldt-", "[\\w.-]{16,}"],
  ["GitLab token", "glptt-", "[\\w.-]{16,}"],
  ["GitLab token", "glcbt-", "[\\w.-]{16,}"],
  ["GitLab token", "glsoat-", "[\\w.-]{16,}"],
  ["GitLab token", "GR1348941", `${WORD}{16,}`],
  ["Slack token", "xoxb-", `${WORD}{10,}`],
  ["Slack token", "xoxp-", `${WORD}{10,}`],
  ["Slack token", "xoxa-", `${WORD}{10,}`],
  ["Slack token", "xoxr-", `${WORD}{10,}`],
  ["Slack token", "xoxs-", `${WORD}{10,}`],
  ["Slack token", "xoxc-", `${WORD}{10,}`],
  ["Slack token", "xoxd-", "[\\w%/+-]{10,}"],
  ["Slack token", "xoxe-", `${WORD}{10,}`],
  ["Slack token", "xoxe.xox", "[\\w.-]{10,}"],
  ["Slack token", "xapp-", `${WORD}{10,}`],
  ["Slack webhook", "hooks.slack.com/services/", "[\\w/]{20,}"],
  ["Slack webhook", "hooks.slack.com/workflows/", "[\\w/]{20,}"],
  ["Discord webhook", "/api/webhooks/", "\\d{10,}/[\\w-]{20,}"],
  ["Stripe key", "sk_live_", `${ALNUM}{10,}`],
  ["Stripe key", "sk_test_", `${ALNUM}{10,}`],
  ["Stripe key", "rk_live_", `${ALNUM}{10,}`],
  ["Stripe key", "rk_test_", `${ALNUM}{10,}`],
  ["webhook secret", "whsec_", "[A-Za-z0-9+/=]{16,}"],
  ["npm token", "npm_", `${ALNUM}{30,}`],
  ["PyPI token", "pypi-", `${WORD}{40,}`],
  ["RubyGems key", "rubygems_", "[a-f0-9]{32,}"],
  ["Docker token", "dckr_pat_", `${WORD}{20,}`],
  ["Docker token", "dckr_oat_", `${WORD}{20,}`],
  ["Anthropic key", "sk-ant-", `${WORD}{16,}`],
  ["OpenAI key", "sk-proj-", `${WORD}{16,}`],
  ["OpenAI key", "sk-svcacct-", `${WORD}{16,}`],
  ["OpenAI key", "sk-admin-", `${WORD}{16,}`],
  ["API key", "sk-or-v1-", "[a-f0-9]{32,}"],
  ["API key", "sk-", `(?<![A-Za-z0-9_]sk-)${ALNUM}{32,}`],
  ["API key", "sk-lf-", `${WORD}{20,}`],
  ["Groq key", "gsk_", `${ALNUM}{30,}`],
  ["xAI key", "xai-", `${ALNUM}{40,}`],
  ["Replicate token", "r8_", `${ALNUM}{30,}`],
  ["Hugging Face token", "hf_", `${ALNUM}{30,}`],
  ["SendGrid key", "SG.", "[\\w-]{16,}\\.[\\w-]{16,}"],
  ["DigitalOcean token", "dop_v1_", "[a-f0-9]{32,}"],
  ["DigitalOcean token", "doo_v1_", "[a-f0-9]{32,}"],
  ["DigitalOcean token", "dor_v1_", "[a-f0-9]{32,}"],
  ["Doppler token", "dp.pt.", `${ALNUM}{30,}`],
  ["Doppler token", "dp.st.", "[\\w.-]{30,}"],
  ["Shopify token", "shpat_", "[a-fA-F0-9]{32,}"],
  ["Shopify token", "shpss_", "[a-fA-F0-9]{32,}"],
  ["Square token", "sq0atp-", `${WORD}{20,}`],
  ["Square secret", "sq0csp-", `${WORD}{30,}`],
  ["Vault token", "hvs.", `${WORD}{20,}`],
  ["Vault token", "hvb.", `${WORD}{20,}`],
  ["Terraform token", ".atlasv1.", `${WORD}{40,}`],
  ["Linear key", "lin_api_", `${ALNUM}{30,}`],
  ["Notion token", "ntn_", `${ALNUM}{30,}`],
  ["Figma token", "figd_", `${WORD}{30,}`],
  ["Databricks token", "dapi", "(?<![A-Za-z0-9]dapi)[a-f0-9]{32,}"],
  ["Grafana token", "glsa_", "\\w{30,}"],
  ["Grafana token", "glc_", "[A-Za-z0-9+/=]{30,}"],
  ["New Relic key", "NRAK-", "[A-Z0-9]{20,}"],
  ["Sentry token", "sntrys_", "[\\w+/=.-]{30,}"],
  ["Sentry token", "sntryu_", "[a-f0-9]{40,}"],
  ["Postman key", "PMAK-", "[a-f0-9-]{30,}"],
  ["Heroku key", "HRKU-", `${WORD}{30,}`],
  ["Fly token", "fm2_", "[\\w+/=,]{40,}"],
  ["Supabase token", "sbp_", "[a-f0-9]{32,}"],
  ["PlanetScale token", "pscale_", "(?:tkn|pw|oauth)_[\\w.-]{20,}"],
  ["Atlassian token", "ATATT3", "[\\w=-]{40,}"],
  ["Bitbucket token", "ATBB", "(?<![A-Za-z0-9]ATBB)[A-Za-z0-9]{24,}"],
  ["Mailgun key", "key-", "(?<!\\wkey-)[a-f0-9]{32,}"],
  ["Mapbox token", "sk.eyJ", "[\\w.-]{30,}"],
  ["Tailscale key", "tskey-", `${WORD}{16,}`],
  ["1Password token", "ops_eyJ", "[\\w=-]{40,}"],
  ["age key", "AGE-SECRET-KEY-", "[A-Z0-9]{20,}"],
  ["Oddjobs token", "ojm_", `${WORD}{30,}`],
  ["Oddjobs token", "ojp_", `${WORD}{30,}`],
  ["JWT", "eyJ", "(?<![\\w-]{2}eyJ)(?<!\\weyJ)[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]{2,}){0,3}"],
];

const literal = (prefix: string) => prefix.replaceAll(".", "\\.");

/** All of them as one pattern, so that a text is walked through once. The last part is one that a title was cut in. */
export const SHAPES = new RegExp(
  [
    ...KNOWN.map(([, prefix, body]) => literal(prefix) + body),
    `(?<![A-Za-z0-9])(?:${KNOWN.map(([, prefix]) => literal(prefix)).join("|")})[\\w./+=-]{3,}(?=…)`,
  ].join("|"),
  "g",
);

export function kindOf(secret: string): string {
  return KNOWN.find(([, prefix]) => secret.startsWith(prefix))?.[0] ?? "secret";
}

/**
 * A block with a private key: PEM, OpenSSH, PGP, PuTTY, on lines or with `\n` between them. One without an end was cut,
 * and goes on to the end of the text.
 */
export const PRIVATE_KEYS =
  /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:)([\s\S]*?)(-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: ?[a-f0-9]+|(?![\s\S]))/g;
