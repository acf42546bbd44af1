import assert from "node:assert/strict";
import { parse } from "smol-toml";
import { describe, it } from "vitest";
import { checkReach } from "./check.ts";

const GOOD = `
[person.ana]
mail   = "ana@example.com"
slack  = "U012AB3CD"
ntfy   = "oj-ana-7f3k"
telegram = "123456"
hours  = "mon-fri 08:00-18:30 Europe/Berlin"
digest = "08:30"
[person.ben]
mail = "ben@example.com"
[group]
backend = ["ben", "ana"]
[rota.primary]
people = ["ana", "ben"]
turn   = "1w"
from   = "2026-11-16 09:00 Europe/Berlin"
[channel.slack]
bot_token_file = "slack-bot-token"
channel        = "C0DECISIONS"
[channel.webhook.audit]
url         = "https://example.com/hook"
secret_file = "audit"
[[route]]
project    = "web"
source     = ["approval", "plan"]
urgency    = ["high"]
escalation = "prod"
[[route]]
notify = ["@primary", "backend"]
via    = ["desktop", "slack", "webhook.audit"]
[web]
url = "https://oj.example.com/"
`;

const problemsOf = (text: string) => checkReach(parse(text)).problems;
const people = '[person.ana]\nmail = "ana@example.com"\n';

const ISSUER = 'oidc.issuer must be an address like "https://accounts.example.com"';

describe("people, channels and routes", () => {
  it("are read", () => {
    const { config, problems } = checkReach(parse(GOOD));
    assert.deepEqual(problems, []);
    const ana = config.people.get("ana");
    assert.deepEqual(ana?.addresses, {
      mail: "ana@example.com",
      slack: "U012AB3CD",
      ntfy: "oj-ana-7f3k",
      telegram: "123456",
    });
    assert.deepEqual([ana?.digest, ana?.hours?.zone], [510, "Europe/Berlin"]);
    assert.deepEqual(config.groups.get("backend"), ["ben", "ana"]);
    assert.deepEqual(config.rotas.get("primary"), {
      people: ["ana", "ben"],
      turn_ms: 7 * 86_400_000,
      from: { local: "2026-11-16T09:00", zone: "Europe/Berlin" },
    });
    assert.deepEqual([...config.channels.keys()], ["desktop", "tmux", "push", "slack", "webhook.audit"]);
    assert.deepEqual(config.channels.get("webhook.audit")?.kind, "webhook");
    assert.deepEqual(config.routes[0], {
      project: ["web"],
      source: ["approval", "plan"],
      urgency: ["high"],
      escalation: "prod",
      notify: [],
      via: null,
    });
    assert.equal(config.webUrl, "https://oj.example.com");
  });

  it("are absent from a file without them", () => {
    const { config, problems } = checkReach(parse("[jobs]\nmax_entries = 3\n"));
    assert.deepEqual([problems, config.channels.size, config.people.size], [[], 0, 0]);
  });

  const wrong: [what: string, text: string, problem: string][] = [
    ["an unknown key", '[person.ana]\nmial = "a@b.c"', 'person.ana.mial is unknown; did you mean "mail"?'],
    [
      "a value of the wrong kind",
      "[person.ana]\nmail = 3",
      "person.ana.mail must be a text that is not empty",
    ],
    [
      "an address that is none",
      '[person.ana]\nmail = "a b"',
      'person.ana.mail must be an address, like "ana@example.com"',
    ],
    [
      "a line break in an address",
      '[person.ana]\nmail = "a@b.c\\nBcc:x@y.z"',
      'person.ana.mail must be an address, like "ana@example.com"',
    ],
    [
      "a name that could pass for ours",
      '[person."escalation:prod"]',
      "person.escalation:prod must have a name of letters, digits, dots, dashes and underscores",
    ],
    [
      "bad hours",
      '[person.ana]\nhours = "always"',
      'person.ana.hours must be hours with a time zone, like "mon-fri 08:00-18:30 Europe/Berlin"',
    ],
    [
      "a bad zone",
      '[person.ana]\nhours = "mon-fri 08:00-18:30 Europe/Berln"',
      'person.ana.hours unknown time zone "Europe/Berln"; did you mean "Europe/Berlin"?',
    ],
    [
      "a bad digest",
      '[person.ana]\ndigest = "8.30"',
      'person.ana.digest must be a time of day, like "08:30"',
    ],
    [
      "an unknown person in a group",
      `${people}[group]\nall = ["anna"]`,
      'group.all names an unknown person "anna"; did you mean "ana"?',
    ],
    [
      "a group that is named like a person",
      `${people}[group]\nana = ["ana"]`,
      "group.ana has the name of a person; choose another",
    ],
    [
      "an unknown person in a rota",
      `${people}[rota.x]\npeople = ["anna"]\nturn = "1d"\nfrom = "2026-11-16 09:00 UTC"`,
      'rota.x.people names an unknown person "anna"; did you mean "ana"?',
    ],
    [
      "a rota without people",
      `${people}[rota.x]\npeople = []\nturn = "1d"\nfrom = "2026-11-16 09:00 UTC"`,
      'rota.x.people must name people, like ["ana", "ben"]',
    ],
    [
      "a bad turn",
      `${people}[rota.x]\npeople = ["ana"]\nturn = "1"\nfrom = "2026-11-16 09:00 UTC"`,
      'rota.x.turn must be at least a minute, like "1w" or "12h"',
    ],
    [
      "a date that never comes",
      `${people}[rota.x]\npeople = ["ana"]\nturn = "1d"\nfrom = "2026-02-30 09:00 UTC"`,
      'rota.x.from must be a date, a time and a time zone, like "2026-11-16 09:00 Europe/Berlin"',
    ],
    [
      "an unknown person in a route",
      `${people}[[route]]\nnotify = ["anna"]`,
      'route 1: notify names an unknown person or group "anna"; did you mean "ana"?',
    ],
    [
      "a rota without its mark",
      `${people}[rota.on]\npeople = ["ana"]\nturn = "1d"\nfrom = "2026-11-16 09:00 UTC"\n[[route]]\nnotify = ["on"]`,
      'route 1: notify names an unknown person or group "on"; did you mean "@on"?',
    ],
    [
      "an unknown key of a route",
      `${people}[[route]]\nnotify = ["ana"]\nurgncy = "high"`,
      'route 1: unknown key "urgncy"; did you mean "urgency"?',
    ],
    [
      "an unknown source",
      `${people}[[route]]\nnotify = ["ana"]\nsource = "aproval"`,
      'route 1: source "aproval" is unknown; did you mean "approval"?',
    ],
    [
      "a channel that is not configured",
      `${people}[[route]]\nnotify = ["ana"]\nvia = ["slack"]`,
      'route 1: via names "slack", which is not configured; known are desktop, tmux, push',
    ],
    [
      "a route to nobody",
      `${people}[[route]]\nproject = "web"`,
      "route 1: says nobody: it needs notify (which may be empty, to keep quiet) or escalation",
    ],
    ["one route", '[route]\nnotify = ["ana"]', "route must be a list of sections, [[route]]"],
    [
      "an unknown channel",
      '[channel.slak]\nchannel = "C1"',
      'channel.slak is of an unknown kind; did you mean "slack"?',
    ],
    [
      "a webhook without a name",
      '[channel.webhook]\nurl = "https://example.com"',
      "channel.webhook.url stands outside; each webhook has a name: [channel.webhook.NAME]",
    ],
    [
      "a token in the file",
      '[channel.slack]\nbot_token = "xoxb-very-secret"',
      "channel.slack.bot_token is a secret: write it to a file of mode 0600 and set bot_token_file to its path",
    ],
    [
      "a time to take answers back that is none",
      '[channel.ntfy]\nundo = "5s"',
      "channel.ntfy.undo must be a number of seconds from 0 up",
    ],
    [
      "a password in an address",
      '[channel.mail]\nsmtp = "smtp://ana:hunter2@mail.example.com"',
      "channel.mail.smtp has a password in it: write that to a file of mode 0600 and name it by password_file",
    ],
    [
      "an address with a script",
      '[web]\nurl = "javascript:alert(1)"',
      'web.url must be an address like "https://oj.example.com"',
    ],
    ...(
      [
        ["a provider without TLS", 'issuer = "http://accounts.example.com"\nclient_id = "oj"', ISSUER],
        ["a provider that is none", 'issuer = "accounts"\nclient_id = "oj"', ISSUER],
        ["no client", 'issuer = "https://a.example"', "oidc.client_id is missing"],
        [
          "a claim that people can choose themselves",
          'issuer = "https://a.example"\nclient_id = "oj"\nclaim = "nickname"',
          'oidc.claim must be "email" or "sub"',
        ],
        [
          "the client's secret in the file",
          'issuer = "https://a.example"\nclient_id = "oj"\nclient_secret = "x"',
          "oidc.client_secret is a secret: write it to a file of mode 0600 and set client_secret_file to its path",
        ],
        [
          "a name that no button has room for",
          `issuer = "https://a.example"\nclient_id = "oj"\nname = "${"x".repeat(61)}"`,
          "oidc.name is longer than 60 characters",
        ],
      ] as const
    ).map(([what, text, problem]): [string, string, string] => [
      what,
      `[web]\nurl = "https://oj.example.com"\n[oidc]\n${text}`,
      problem,
    ]),
    [
      "an address of oj serve that carries more",
      '[web]\nserve_url = "https://oj.example.com/?x=1"',
      'web.serve_url must be an address like "https://oj.example.com"',
    ],
    [
      "a provider and nowhere to come back to",
      '[oidc]\nissuer = "https://a.example"\nclient_id = "oj"',
      "oidc needs web.url: the provider sends browsers back there",
    ],
  ];
  for (const [what, text, problem] of wrong)
    it(`are refused with ${what}`, () => assert.deepEqual(problemsOf(text), [problem]));

  it("have one address for oj serve: its own, else that of the inbox", () => {
    const of = (text: string) => checkReach(parse(`[web]\n${text}`)).config.serveUrl;
    assert.equal(of('url = "https://a.example/"'), "https://a.example");
    assert.equal(
      of('url = "https://a.example"\nserve_url = "https://b.example:7433/"'),
      "https://b.example:7433",
    );
    assert.equal(of('serve_url = "https://b.example"'), "https://b.example");
  });

  it("are told with everything that is wrong, and without the secret", () => {
    const found = problemsOf(
      '[person.ana]\nmial = "x"\n[channel.slack]\nbot_token = "xoxb-1"\n[web]\nurk = "y"',
    );
    assert.equal(found.length, 3);
    assert.doesNotMatch(found.join(), /xoxb/);
  });
});
