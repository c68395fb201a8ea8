// What goes out at the head of a request.

import { validateHeaderValue } from "node:http";
import { OutboundError } from "./outbound-error.ts";

/** An address that can be called. Throws an `OutboundError` otherwise. */
export function parseOutboundUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new OutboundError("invalid", "The address is not a URL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new OutboundError("refused", "Only http and https addresses are called");
  return url;
}

export interface HeaderInput {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether a `host` among the headers is sent instead of that of the address. */
  readonly allowHost?: boolean;
}

/** All headers of a request. None of them can bring a second one along. */
export function requestHeaders(
  { headers, body, allowHost = false }: HeaderInput,
  url: URL,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = { "accept-encoding": "identity" };
  if (url.username !== "" || url.password !== "") {
    const user = `${decoded(url.username)}:${decoded(url.password)}`;
    all["authorization"] = `Basic ${Buffer.from(user).toString("base64")}`;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name))
      throw new OutboundError("invalid", "A header has a name that is not allowed");
    // As bytes of UTF-8, which is what most receivers take them for.
    const text = Buffer.from(value.replace(/\s+/g, " ").trim(), "utf8").toString("latin1");
    try {
      validateHeaderValue(name, text);
    } catch {
      throw new OutboundError("invalid", "A header has a value that is not allowed");
    }
    if (!IGNORED_HEADERS.has(name.toLowerCase())) all[name.toLowerCase()] = text;
  }
  const host = all["host"] ?? "";
  return {
    ...all,
    host: allowHost && host !== "" ? host : url.host,
    connection: "close",
    ...(body !== null && { "content-length": String(Buffer.byteLength(body)) }),
  };
}

/** These belong to the connection. */
const IGNORED_HEADERS = new Set([
  "connection",
  "content-length",
  "transfer-encoding",
  "expect",
  "upgrade",
  "te",
  "trailer",
]);

/** The host of an address, without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

export const portOf = (url: URL): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
