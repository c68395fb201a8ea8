// A browser sends the cookie of a session along with requests that pages of others make it send.
// Such a page can neither hide where it is from nor send JSON without being asked for its
// permission first.

import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../errors/app-error.ts";

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;

/**
 * Whether a browser says that another site is behind a request; who says nothing is no browser of
 * today.
 */
export function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { origin } = headers;
  if (origin === undefined) return false;
  // The scheme is left out: a proxy in front may speak HTTPS.
  return !URL.canParse(origin) || new URL(origin).host !== headers.host;
}

/** Whether a request has a body that is not said to be JSON. */
function hasOtherBody(headers: IncomingHttpHeaders): boolean {
  const type = headers["content-type"];
  if (type !== undefined) return !JSON_TYPE.test(type);
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** Throws `forbidden` unless a write with a cookie is meant by whoever has the cookie. */
export function refuseForged(headers: IncomingHttpHeaders): void {
  if (isFromElsewhere(headers))
    throw new AppError("forbidden", "The request comes from another site");
  if (hasOtherBody(headers))
    throw new AppError("forbidden", "A session is good for JSON only, send application/json");
}
