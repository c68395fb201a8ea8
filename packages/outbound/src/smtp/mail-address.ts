import { domainToASCII } from "node:url";

/** Someone who sends or receives mail. */
export interface MailAddress {
  /** The name that people see; empty when there is none. */
  readonly name: string;
  /** In ASCII, fit for the wire. */
  readonly address: string;
}

const MAX_ADDRESS = 254;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/;
const DOMAIN = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/**
 * `ada@example.com` or `Ada <ada@example.com>`; null when it is neither, or could smuggle something
 * in.
 */
export function parseMailAddress(text: string): MailAddress | null {
  const [, name = "", bracketed] = /^([^<>]*)<([^<>]*)>\s*$/.exec(text) ?? [];
  const address = asciiAddress((bracketed ?? text).trim());
  if (address === null) return null;
  return { name: name.trim().replace(/^"(.*)"$/s, "$1"), address };
}

function asciiAddress(text: string): string | null {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const given = text.slice(at + 1);
  const domain = /^[\p{L}\p{M}\p{N}.-]+$/u.test(given) ? domainToASCII(given) : "";
  const address = `${local}@${domain}`;
  return LOCAL.test(local) && DOMAIN.test(domain) && address.length <= MAX_ADDRESS ? address : null;
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);
