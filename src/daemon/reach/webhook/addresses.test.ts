import assert from "node:assert/strict";
import type dns from "node:dns";
import { describe, it } from "vitest";
import { guardedLookup, isPrivate, literalIn, PrivateAddress } from "./addresses.ts";

describe("addresses that a webhook may not go to", () => {
  it("are those of this machine, its network, and clouds' own", () => {
    const bad = [
      ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254"],
      ...["172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1", "198.18.0.1", "224.0.0.1"],
      ...["240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
      ...["::ffff:a9fe:a9fe", "[::ffff:10.0.0.1]", "64:ff9b::7f00:1", "64:ff9b::169.254.169.254", "fc00::1"],
      ...["fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "2001:db8::1", "2001::1"],
      ...["2002:7f00:1::1", "100::1", "no address", ""],
    ];
    assert.deepEqual(
      bad.filter((it) => !isPrivate(it)),
      [],
    );
  });

  it("are no others", () => {
    const good = [
      ...["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.0.1", "192.169.0.1"],
      ...["2606:4700:4700::1111", "2a00:1450:4001:81c::200e", "::ffff:8.8.8.8", "::ffff:808:808"],
    ];
    assert.deepEqual(good.filter(isPrivate), []);
  });

  it("are known in every spelling that an address has", () => {
    const spellings = [
      ...["http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/", "http://0/"],
      ...["http://[::ffff:127.0.0.1]/", "http://[::1]/", "http://127.0.0.1./", "http://①②⑦.0.0.1/"],
      ...["http://0xa9.0xfe.0xa9.0xfe/", "http://[0:0:0:0:0:ffff:a9fe:a9fe]/", "http://3232235777/"],
    ];
    for (const url of spellings) {
      const literal = literalIn(new URL(url));
      assert.ok(literal !== null && isPrivate(literal), url);
    }
    assert.equal(literalIn(new URL("https://hooks.example.com/")), null);
  });
});

describe("the lookup of a name", () => {
  const found = (...addresses: string[]) =>
    ((_: string, __: unknown, done: (error: null, all: dns.LookupAddress[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      )) as unknown as typeof dns.lookup;
  const look = (lookup: typeof dns.lookup, all: boolean) =>
    new Promise<unknown>((resolve) => {
      guardedLookup(lookup)("hooks.example.com", { all }, (error, address) => resolve(error ?? address));
    });

  it("is refused if any of its addresses is private", async () => {
    for (const all of [true, false]) {
      assert.ok((await look(found("127.0.0.1"), all)) instanceof PrivateAddress);
      assert.ok((await look(found("8.8.8.8", "10.0.0.1"), all)) instanceof PrivateAddress);
      assert.ok((await look(found("::ffff:10.0.0.1"), all)) instanceof PrivateAddress);
    }
  });

  it("gives the address that was checked", async () => {
    assert.equal(await look(found("8.8.8.8", "8.8.4.4"), false), "8.8.8.8");
    assert.deepEqual(await look(found("8.8.8.8"), true), [{ address: "8.8.8.8", family: 4 }]);
  });
});
