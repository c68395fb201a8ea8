// One request to somebody else's server. No redirect is followed, no proxy is asked, and no more is read than wanted.

import { request as httpRequest, type IncomingMessage, validateHeaderValue } from "node:http";
import type { Socket } from "node:net";
import { type Connecting, openConnection, secured } from "./open-connection.ts";
import { abortedBy, OutboundError, socketError } from "./outbound-error.ts";

export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether the certificate of the other side must be valid. */
  readonly verify: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of it, when it is longer than what is read. */
  readonly body: string;
}

const MAX_ANSWER_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;

/** The answer, whatever its status. Throws an `OutboundError` when there is none. */
export async function sendRequest(
  request: OutboundRequest,
  connecting: Connecting,
): Promise<OutboundAnswer> {
  const url = receiveUrl(request.url);
  const headers = receiveHeaders(request, url);
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  const plain = await openConnection({ host, port }, connecting);
  const { signal } = connecting;
  try {
    const { verify } = request;
    const socket = isSecure ? await secured(plain, { host, verify, signal }) : plain;
    return await exchange(socket, { ...request, headers, path: url.pathname + url.search }, signal);
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError("invalid", "The request cannot be put into words of HTTP");
  } finally {
    plain.on("error", () => {});
    plain.destroy();
  }
}

/** Scheme, host and port: what may be shown of an address. */
export function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function receiveUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new OutboundError("invalid", "The address is not a URL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new OutboundError("refused", "Only http and https addresses are called");
  return url;
}

function receiveHeaders(
  { headers, body }: OutboundRequest,
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
  return {
    ...all,
    host: url.host,
    connection: "close",
    ...(body !== null && { "content-length": String(Buffer.byteLength(body)) }),
  };
}

/** These belong to the connection, and to whom the request goes. */
const IGNORED_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "expect",
  "upgrade",
  "te",
  "trailer",
]);

interface ReadyRequest extends OutboundRequest {
  readonly path: string;
}

function exchange(
  socket: Socket,
  { method, path, headers, body }: ReadyRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      createConnection: () => socket,
      method,
      path,
      headers,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    let isAnswered = false;
    const abort = (): void => {
      if (!isAnswered) reject(abortedBy(signal));
      sent.destroy();
    };
    const fail = (error: unknown): void => {
      if (isAnswered) return;
      signal.removeEventListener("abort", abort);
      reject(socketError(error));
    };
    sent.on("error", fail);
    sent.on("close", () => fail(new OutboundError("broken", "The other side hung up")));
    sent.on("response", (answer) => {
      isAnswered = true;
      void read(answer).then((whole) => {
        signal.removeEventListener("abort", abort);
        resolve(whole);
        sent.destroy();
      });
    });
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    // Bytes, because the headers before a text would be encoded like the text.
    sent.end(body === null ? undefined : Buffer.from(body));
  });
}

async function read(answer: IncomingMessage): Promise<OutboundAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, MAX_ANSWER_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status has come, which is what counts: to send again because of a torn body would be a second message.
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString("utf8") };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
