// The address of a target: what may be one, and the credentials that people put into it.

import { MAX_MONITOR_URL } from "@orchestrator/contract";
import { MASK } from "@orchestrator/kernel/pure";
import { isSecretParameter, mapSecretParameters } from "@orchestrator/kernel/settings";

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Everything before the last `@` of the part that names the host. */
const CREDENTIALS = /^(https?:\/\/)([^/?#]*)@/i;

export type Received = { readonly value: string } | { readonly problem: string };

/** The address as it is kept: as it was written, with a scheme. */
export function parseMonitorUrl(text: string): Received {
  const trimmed = text.trim();
  const value = SCHEME.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (value.length > MAX_MONITOR_URL)
    return { problem: `an address has at most ${MAX_MONITOR_URL} characters` };
  // Parsers drop or turn these, so that what is called would not be what is shown.
  if (/[\s\\\p{Cc}]/u.test(value))
    return { problem: "an address has no white space, backslashes or control characters" };
  if (!/^https?:\/\/[^/]/i.test(value))
    return { problem: "an address begins with http:// or https:// and a host" };
  return URL.canParse(value) ? { value } : { problem: "this is not an address" };
}

/** User and secret of an address as they are written, percent-encoded. */
export interface Userinfo {
  readonly username: string;
  /** Null where there is only one text before the `@`, which is then the secret. */
  readonly password: string | null;
}

export function userinfoOf(url: string): Userinfo | null {
  const [, , userinfo = ""] = CREDENTIALS.exec(url) ?? [];
  if (userinfo === "") return null;
  const colon = userinfo.indexOf(":");
  return colon === -1
    ? { username: userinfo, password: null }
    : { username: userinfo.slice(0, colon), password: userinfo.slice(colon + 1) };
}

export function withoutUrlCredentials(url: string): string {
  return url.replace(CREDENTIALS, "$1");
}

/** The place of the secret before the host; those of the query stand below it, by their names. */
export const URL_PLACE = "url";

type Change = (secret: string, place: string) => string;

/**
 * The address with what is secret in it replaced: before the host, and in parameters that look like
 * credentials.
 */
export function mapUrlSecrets(url: string, change: Change): string {
  return mapSecretParameters(
    mapUserinfo(url, (secret) => change(secret, URL_PLACE)),
    (value, name, earlier) =>
      change(value, `${URL_PLACE}/${name}${earlier === 0 ? "" : `#${earlier + 1}`}`),
    // A mask under another name is no value that anybody means.
    (name, value) => value === MASK || isSecretParameter(name),
  );
}

function mapUserinfo(url: string, change: (secret: string) => string): string {
  const found = userinfoOf(url);
  if (found === null) return url;
  const { username, password } = found;
  const userinfo =
    password === null ? change(username) : `${username}:${password === "" ? "" : change(password)}`;
  // A function, because a text could hold patterns of its own.
  return url.replace(CREDENTIALS, (_all, scheme: string) => `${scheme}${userinfo}@`);
}

/** Where secrets are sent to: a change of it needs them anew. */
export function originOfUrl(url: string): string {
  return new URL(withoutUrlCredentials(url)).origin;
}
