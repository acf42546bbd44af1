/**
 * Which addresses a webhook may go to. Whoever names a server could otherwise make the daemon talk to this machine, to the
 * network it is in, or to the address under which clouds hand out their keys. The address is checked where it is used,
 * after the name was resolved, so that a name can't change in between.
 */
import dns from "node:dns";
import net from "node:net";

const V4 = [
  ["0.0.0.0", 8], // this host
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carriers
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // the link, and the keys of clouds
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3], // many at once, and what is reserved
] as const;

const V6 = [
  ["::", 96], // this host, and IPv4 in an old notation
  ["64:ff9b::", 96], // IPv4 behind a translator
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23], // tunnels among them
  ["2001:db8::", 32],
  ["2002::", 16], // IPv4 in a tunnel
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

const PRIVATE = new net.BlockList();
for (const [address, bits] of V4) PRIVATE.addSubnet(address, bits, "ipv4");
for (const [address, bits] of V6) PRIVATE.addSubnet(address, bits, "ipv6");

export function isPrivate(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").split("%")[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  const version = net.isIP(mapped ?? plain);
  if (version === 0) return true; // nothing that can be judged is let through
  return PRIVATE.check(mapped ?? plain, version === 4 ? "ipv4" : "ipv6");
}

/** The address in a URL, if it has one in place of a name. */
export function literalIn({ hostname }: URL): string | null {
  const plain = hostname.replace(/^\[|\]$/g, "");
  return net.isIP(plain) === 0 ? null : plain;
}

export class PrivateAddress extends Error {
  constructor(host: string, address: string) {
    const at = host === address ? "" : ` (${address})`;
    super(`${host}${at} is a private address; allow_private = true lets this webhook go there`);
    this.name = "PrivateAddress";
  }
}

/** In place of `dns.lookup`: refuses a name as soon as one of its addresses is private. */
export function guardedLookup(lookup: typeof dns.lookup = dns.lookup): net.LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const bad = found.find((it) => isPrivate(it.address));
      if (bad) return callback(new PrivateAddress(host, bad.address), []);
      if (options.all) return callback(null, found);
      const [first] = found;
      return first ? callback(null, first.address, first.family) : callback(new Error("no address"), []);
    });
  };
}
