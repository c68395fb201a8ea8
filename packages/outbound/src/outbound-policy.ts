// Whom the server may call on behalf of others: whoever can make it send a request could otherwise
// reach what only the server can reach.

import { type AddressKind, addressKind } from "./address-kinds.ts";
import { isInIpRange, parseAddress, parseIpRange } from "./ip-address.ts";

export interface OutboundPolicy {
  /** Whether addresses of private networks and of this machine may be called. */
  readonly allowPrivate: boolean;
  /** Host names, addresses and ranges of addresses that may be called though they are private. */
  readonly allowed: readonly string[];
  /** Whether nothing but `allowed` may be called, public addresses included. */
  readonly onlyAllowed?: boolean;
  /**
   * Services that nobody is sent to, whatever else is allowed, such as the server's own database.
   */
  readonly closed?: readonly Destination[];
  /**
   * What to do for an address that only these settings refuse; it ends the message of the refusal.
   */
  readonly advice?: string;
}

export interface Destination {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Why an address must not be called; null when it may be. */
export function refusalOf(
  { host, address }: { readonly host: string; readonly address: string },
  policy: OutboundPolicy,
): string | null {
  const kind = addressKind(address);
  switch (kind) {
    case "public":
    case "private":
    case "loopback":
      if (isListed(host, address, policy.allowed)) return null;
      if (policy.onlyAllowed === true)
        return `It leads to an address that is not on the list${adviceOf(policy)}`;
      return policy.allowPrivate || kind === "public"
        ? null
        : `It leads to a ${kind} address, and those are not allowed${adviceOf(policy)}`;
    case "metadata":
    case "link-local":
    case "multicast":
    case "unspecified":
    case "reserved":
      return `It leads to ${article(kind)} ${kind} address, and those are never called`;
  }
}

/** The form in which an entry of the list is compared; undefined when it is none. */
export function receiveDestination(text: string): string | undefined {
  const entry = text.trim().toLowerCase().replace(/\.$/, "");
  if (parseIpRange(entry) !== null) return entry;
  return /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/.test(entry) ? entry : undefined;
}

function isListed(host: string, address: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return false;
  const name = host.toLowerCase().replace(/\.$/, "");
  const parsed = parseAddress(address);
  return allowed.some((entry) => {
    const range = parseIpRange(entry);
    if (range === null) return entry === name;
    return parsed !== null && isInIpRange(parsed, range);
  });
}

const adviceOf = ({ advice }: OutboundPolicy): string =>
  advice === undefined ? "" : `. ${advice}`;

const article = (kind: AddressKind): string => (kind === "unspecified" ? "an" : "a");
