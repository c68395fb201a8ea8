// One request to somebody else's server. No redirect is followed, no proxy is asked, and no more is
// read than wanted.

import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { hostOf, parseOutboundUrl, portOf, requestHeaders } from "./http-headers.ts";
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
  const url = parseOutboundUrl(request.url);
  const headers = requestHeaders(request, url);
  const host = hostOf(url);
  const plain = await openConnection({ host, port: portOf(url) }, connecting);
  const { signal } = connecting;
  try {
    const { verify } = request;
    const isSecure = url.protocol === "https:";
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
    // The status has come, which is what counts: to send again because of a torn body would be a
    // second message.
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString("utf8") };
}
