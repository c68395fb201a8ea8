// Where an address leads, by the registries of addresses with a special purpose.

import {
  embeddedIPv4,
  type IpAddress,
  isInIpRange,
  parseAddress,
  parseIpRange,
} from "./ip-address.ts";

export type AddressKind =
  | "public"
  | "private"
  | "loopback"
  /** Where clouds tell machines their credentials; these are of no use to anybody else. */
  | "metadata"
  | "link-local"
  | "multicast"
  | "unspecified"
  | "reserved";

/** The first that fits counts. */
const RANGES: readonly (readonly [AddressKind, readonly string[]])[] = [
  ["metadata", ["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192"]],
  // One of them looks public, the others private.
  ["metadata", ["168.63.129.16", "fd00:ec2::/32", "fd20:ce::254", "fd00:42::42"]],
  ["unspecified", ["0.0.0.0/8", "::/128"]],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["multicast", ["224.0.0.0/4", "ff00::/8"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]],
  ["private", ["100.64.0.0/10", "198.18.0.0/15", "fc00::/7", "fec0::/10"]],
  ["reserved", ["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.51.100.0/24"]],
  ["reserved", ["203.0.113.0/24", "240.0.0.0/4", "2001::/32", "2001:db8::/32", "3fff::/20"]],
];
const KINDS = RANGES.flatMap(([kind, ranges]) => ranges.map((text) => ({ kind, range: at(text) })));

/** IPv6 addresses that stand for an IPv4 address, and how many bits follow it. */
const EMBEDDING = [
  ["::ffff:0:0/96", 0],
  ["::ffff:0:0:0/96", 0],
  ["64:ff9b::/96", 0],
  ["64:ff9b:1::/96", 0],
  ["2002::/16", 80],
  ["::/96", 0],
] as const;
const EMBEDDED = EMBEDDING.map(([text, skipped]) => ({ range: at(text), skipped }));

/** Of IPv6 only this part is given out for use across the internet. */
const GLOBAL_IPV6 = at("2000::/3");

/** The same few addresses are called again and again. */
const known = new Map<string, AddressKind>();
const MOST_KNOWN = 10_000;

export function addressKind(text: string): AddressKind {
  const before = known.get(text);
  if (before !== undefined) return before;
  const address = parseAddress(text);
  const kind = address === null ? "reserved" : kindOf(address);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, kind);
  return kind;
}

function kindOf(address: IpAddress): AddressKind {
  const listed = KINDS.find(({ range }) => isInIpRange(address, range));
  if (listed !== undefined) return listed.kind;
  if (address.bits === 32) return "public";
  const embedded = EMBEDDED.find(({ range }) => isInIpRange(address, range));
  if (embedded !== undefined) return kindOf(embeddedIPv4(address, embedded.skipped));
  return isInIpRange(address, GLOBAL_IPV6) ? "public" : "reserved";
}

function at(text: string) {
  const range = parseIpRange(text);
  if (range === null) throw new Error(`Not a range of addresses: ${text}`);
  return range;
}
