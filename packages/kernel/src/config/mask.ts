// Hides credentials in addresses. Works on the text itself instead of a parsed address, because the
// addresses that matter most here are the ones that do not parse: a password with a raw `/` or `#`.

import { isSecretParameter } from "./secret-parameters.ts";

const HIDDEN = "***";
const WEB_SCHEME = /(?:^|[^a-z0-9+.-])(?:https?|wss?)$/i;
const PARAMETER = /([?&])([\w.-]{1,64})=[^&#\s"'<>]+/g;

/**
 * The address with its password replaced by `***`; of an address that makes no sense, all before
 * the last `@`.
 */
export function maskUrl(text: string): string {
  const schemeEnd = text.indexOf("://");
  if (schemeEnd < 0) {
    const at = text.lastIndexOf("@");
    return at < 0 ? text : HIDDEN + text.slice(at);
  }
  return `${text.slice(0, schemeEnd)}://${maskAfterScheme(text.slice(0, schemeEnd), text.slice(schemeEnd + 3))}`;
}

/**
 * Any text with the passwords of the addresses in it replaced, and the secret parameters also of a
 * path such as `/hook?token=…`; next to free for text without either.
 */
export function maskUrlsIn(text: string): string {
  if (!text.includes("://")) return text.includes("?") ? maskParameters(text) : text;
  const [first = "", ...following] = text.split("://");
  let masked = first;
  let before = first;
  for (const part of following) {
    const space = part.search(/\s/);
    const end = space < 0 ? part.length : space;
    masked += `://${maskAfterScheme(before, part.slice(0, end))}${part.slice(end)}`;
    before = part;
  }
  return masked;
}

function maskAfterScheme(before: string, rest: string): string {
  const shown = WEB_SCHEME.test(before) ? maskWebUser(rest) : maskOtherUser(rest);
  return maskParameters(shown);
}

function maskParameters(text: string): string {
  return text.replace(PARAMETER, (all, mark: string, name: string) =>
    isSecretParameter(name) ? `${mark}${name}=${HIDDEN}` : all,
  );
}

/**
 * In a web address an `@` in the path is common, so only the authority is looked at unless it is
 * broken.
 */
function maskWebUser(rest: string): string {
  const authority = authorityOf(rest);
  const at = authority.lastIndexOf("@");
  if (at >= 0) return hidePassword(rest, at);
  const hostAndPort = authority.replace(/^\[[^\]]*\]/, "");
  const isBroken = /:\D/.test(hostAndPort);
  const lastAt = rest.lastIndexOf("@");
  return isBroken && lastAt >= 0 ? HIDDEN + rest.slice(lastAt) : rest;
}

/**
 * In a database address an `@` after the authority is far more often part of a raw password than of
 * a path.
 */
function maskOtherUser(rest: string): string {
  const query = rest.indexOf("?");
  const at = (query < 0 ? rest : rest.slice(0, query)).lastIndexOf("@");
  if (at >= 0) return hidePassword(rest, at);
  const lastAt = rest.lastIndexOf("@");
  return lastAt >= 0 && authorityOf(rest).includes(":") ? HIDDEN + rest.slice(lastAt) : rest;
}

function hidePassword(rest: string, at: number): string {
  const user = rest.slice(0, at);
  const colon = user.indexOf(":");
  if (colon < 0) return rest;
  const isBroken = /[/?#]/.test(user);
  return isBroken ? HIDDEN + rest.slice(at) : `${user.slice(0, colon)}:${HIDDEN}${rest.slice(at)}`;
}

function authorityOf(rest: string): string {
  const end = rest.search(/[/?#]/);
  return end < 0 ? rest : rest.slice(0, end);
}
