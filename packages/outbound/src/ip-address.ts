import { isIPv4, isIPv6 } from "node:net";

/** An address as a number, so that ranges are comparisons of leading bits. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** All addresses that share their first `prefix` bits. */
export interface IpRange extends IpAddress {
  readonly prefix: number;
}

const GROUPS = 8;
const GROUP_BITS = 16n;

export function parseAddress(text: string): IpAddress | null {
  if (isIPv4(text)) return { bits: 32, value: joined(text.split(".").map(Number), 8n) };
  // What follows `%` names a network card and says nothing of where the address lies.
  const plain = text.replace(/%.*$/s, "");
  return isIPv6(plain) ? { bits: 128, value: joined(groupsOf(plain), GROUP_BITS) } : null;
}

/** `10.0.0.0/8`, or one address alone. */
export function parseIpRange(text: string): IpRange | null {
  const [address = "", length, ...more] = text.split("/");
  const parsed = more.length === 0 ? parseAddress(address) : null;
  if (parsed === null) return null;
  if (length === undefined) return { ...parsed, prefix: parsed.bits };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return prefix <= parsed.bits ? { ...parsed, prefix } : null;
}

export function isInIpRange(address: IpAddress, range: IpRange): boolean {
  if (address.bits !== range.bits) return false;
  const rest = BigInt(range.bits - range.prefix);
  return address.value >> rest === range.value >> rest;
}

/** The 32 bits that end `skipped` bits before the end of an address, as an address of their own. */
export function embeddedIPv4({ value }: IpAddress, skipped: number): IpAddress {
  return { bits: 32, value: (value >> BigInt(skipped)) & 0xffff_ffffn };
}

function groupsOf(text: string): number[] {
  const [head = "", tail] = withoutDots(text).split("::");
  const first = numbers(head);
  if (tail === undefined) return first;
  const last = numbers(tail);
  return [...first, ...new Array<number>(GROUPS - first.length - last.length).fill(0), ...last];
}

/** `::ffff:1.2.3.4` written with groups only. */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const tail = text.slice(start);
  if (!tail.includes(".")) return text;
  const [a = 0, b = 0, c = 0, d = 0] = tail.split(".").map(Number);
  return `${text.slice(0, start)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

const numbers = (groups: string): number[] =>
  groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));

const joined = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
