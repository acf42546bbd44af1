import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { authorizedLine, publicKeyIn } from "./key.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMbvFY9bVrOfAuD6eLZ6Ag/9amL4PFBrj0REkU/gbukQ";

describe("a line of authorized_keys", () => {
  it("takes one public key, with a comment that can't be anything else", () => {
    assert.equal(publicKeyIn(`${KEY}\n`), KEY);
    assert.equal(publicKeyIn(`# mine\n${KEY} ana@laptop\n`), `${KEY} ana@laptop`);
    assert.equal(publicKeyIn(`${KEY} a",command="x b`), `${KEY} a__command__x_b`);
  });

  for (const [what, text] of [
    ["nothing", ""],
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n"],
    ["two keys", `${KEY}\n${KEY}\n`],
    ["options of its own", `no-touch-required ${KEY}`],
    ["a key of another type", KEY.replace("ssh-ed25519", "ssh-rsa")],
    ["a certificate", KEY.replace("ssh-ed25519", "ssh-ed25519-cert-v01@openssh.com")],
    ["no key at all", "ssh-ed25519 aaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
  ] as const)
    it(`refuses ${what}`, () => assert.throws(() => publicKeyIn(text), { code: "usage" }));

  it("forces the command, and allows nothing else", () => {
    assert.equal(
      authorizedLine(["/usr/bin/node", "/opt/oj.cjs", "ssh", "--as", "ana"], KEY),
      `restrict,command="/usr/bin/node /opt/oj.cjs ssh --as ana" ${KEY}`,
    );
    assert.equal(authorizedLine(["/a b/oj", "ü"], KEY), `restrict,command="'/a b/oj' 'ü'" ${KEY}`);
    assert.throws(() => authorizedLine([`/a"b/oj`], KEY), { code: "usage" });
    assert.throws(() => authorizedLine([`/a'b/oj`], KEY), { code: "usage" });
  });
});
