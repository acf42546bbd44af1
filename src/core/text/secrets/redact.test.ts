import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { harmlessLines, reachTexts, secrets } from "../../../../test/fakes/reach-corpus.ts";
import { redact, redactAll, redactText } from "./redact.ts";

describe("redacting", () => {
  it("takes out every secret of the corpus", () => {
    assert.ok(secrets.length >= 120, `${secrets.length} secrets`);
    assert.ok(new Set(secrets.map((it) => it.kind)).size >= 30);
    const left = secrets.filter(({ text, secret }) => redact(text).includes(secret));
    assert.deepEqual(left, []);
  });

  it("knows no secret that is one short word of small letters, which is left as it is", () => {
    const words = secrets.filter(({ text }) => /^[a-z_]{0,12}$/.test(text));
    assert.deepEqual(words, []);
    assert.deepEqual(redactAll({ password: "hunter", title: "token" }).value, {
      password: "[redacted value]",
      title: "token",
    });
  });

  it("leaves no half of a secret", () => {
    for (const { text, secret } of secrets) {
      const shown = redact(text);
      for (let at = 0; at + 12 <= secret.length; at++) {
        assert.ok(!shown.includes(secret.slice(at, at + 12)), `${shown} shows a part of ${secret}`);
      }
    }
  });

  it("says what was there, and leaves the rest as it was", () => {
    const token = `${"ghp_"}${"a1B2".repeat(9)}`;
    assert.equal(
      redact(`git push https://ana:${token}@github.com/ana/shop && echo done`),
      "git push https://ana:[redacted GitHub token]@github.com/ana/shop && echo done",
    );
    assert.equal(
      redact("psql postgres://app:hunter2@db/shop"),
      "psql postgres://app:[redacted password]@db/shop",
    );
    assert.equal(redact("PASSWORD=hunter2 make"), "PASSWORD=[redacted value] make");
    assert.equal(
      redact("Cookie: sid=abcdef; theme=dark"),
      "Cookie: sid=[redacted cookie]; theme=[redacted cookie]",
    );
  });

  it("keeps the lines of a private key, also in a diff", () => {
    const key = ["-----BEGIN PRIVATE KEY-----", "A".repeat(64), "Bc1=", "-----END PRIVATE KEY-----"];
    assert.equal(
      redact(key.map((it) => `+${it}`).join("\n")),
      [
        "+-----BEGIN PRIVATE KEY-----",
        "+[redacted private key]",
        "+[redacted private key]",
        "+-----END PRIVATE KEY-----",
      ].join("\n"),
    );
  });

  it("raises fewer than two false alarms in 100,000 lines", () => {
    let lines = 0;
    const alarms: string[] = [];
    for (const line of harmlessLines(100_000)) {
      lines++;
      if (redact(line) !== line) alarms.push(line.slice(0, 200));
    }
    assert.ok(lines >= 100_000, `only ${lines} lines were found`);
    assert.ok(alarms.length / lines < 2 / 100_000, `${alarms.length} in ${lines}:\n${alarms.join("\n")}`);
  });

  it("finds nothing in what only stands for a secret", () => {
    const lines = [
      "password: $PASSWORD",
      "https://$USER:$TOKEN@example.com",
      "Authorization: Bearer ${token}",
      "--token <token>",
      "--password-file /run/secret",
      "token_file = '/etc/oj/token'",
      "const token = readToken(file);",
      "password: string;",
      "PASSWORD=********",
      "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
      "550e8400-e29b-41d4-a716-446655440000",
      "dec-7k3m9x2p4q",
      "docker run -u 1000:1000 node",
    ];
    for (const line of lines) assert.equal(redact(line), line);
  });

  it("changes nothing that it has redacted", () => {
    for (const { text } of secrets) assert.equal(redact(redact(text)), redact(text));
  });

  it("takes any text", () => {
    for (const text of reachTexts) assert.equal(redact(text), text);
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => typeof redact(text) === "string"));
  });

  it("takes time in proportion to the length of the text, whatever is in it", () => {
    const bait = [
      ...[
        "eyJ",
        "ghp_",
        "://",
        "password=",
        "password='",
        "Cookie: a=",
        "-----BEGIN PRIVATE KEY-----",
        "mysql ",
        "-",
      ],
      ...[
        "Authorization: ",
        "bearer ",
        "login a ",
        "--a",
        "api-",
        "secret_key: ",
        '"auth":"',
        "M".repeat(24),
        "SG.a",
      ],
    ];
    for (const text of bait) {
      const from = performance.now();
      redact(text.repeat(300_000 / text.length));
      const took = performance.now() - from;
      // some 50 ms; a search that goes back would take a minute
      assert.ok(took < 10_000, `${Math.round(took)} ms for 300 KB of ${text}`);
    }
  });
});

describe("redacting a value", () => {
  it("follows lists and objects, and takes out what has a secret's name", () => {
    const { value, count } = redactAll({
      command: "deploy --token abc123def",
      env: { API_KEY: "anything", HOME: "/home/ana" },
      list: ["password=hunter2"],
      tokens: 12,
      token: "$TOKEN",
    });
    assert.deepEqual(value, {
      command: "deploy --token [redacted value]",
      env: { API_KEY: "[redacted value]", HOME: "/home/ana" },
      list: ["password=[redacted value]"],
      tokens: 12,
      token: "$TOKEN",
    });
    assert.equal(count, 3);
  });

  it("knows whether more than plain values was taken out", () => {
    assert.ok(redactText("curl -u ana:hunter2 https://example.com").isPlain);
    assert.ok(redactText("nothing here").isPlain);
    assert.ok(!redactText("password='x1; rm -rf ~ #!'").isPlain);
    assert.ok(
      !redactAll({ password: "$(rm -rf ~)x" }).isPlain || redactAll({ password: "$(x)" }).count === 0,
    );
    const key = (body: string) => `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;
    assert.ok(redactText(key(`${"A".repeat(64)}\nAbc=`)).isPlain);
    assert.ok(!redactText(key(`${"A".repeat(64)}\nEND\nreboot`)).isPlain);
  });
});
