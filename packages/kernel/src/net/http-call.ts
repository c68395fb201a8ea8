// One request, watched closely: how long each step took, what the certificate said, and whatever had come when it broke.
// No redirect is followed, no connection is used twice, and no more is read than wanted.

import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { type TlsFacts, tlsFacts } from "./certificate.ts";
import { hostOf, portOf, requestHeaders } from "./http-headers.ts";
import { type Connecting, openConnection, secured } from "./open-connection.ts";
import { abortedBy, OutboundError, socketError } from "./outbound-error.ts";

export interface HttpCall {
  readonly method: string;
  readonly url: URL;
  /** A `host` among them is sent instead of that of the address. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly verify: boolean;
  readonly maxBodyBytes: number;
  /** Whether the body of an answer is of interest; it always is unless this says otherwise. */
  readonly wantsBody?: (status: number, headers: Readonly<Record<string, string>>) => boolean;
}

export interface CallConnecting extends Omit<Connecting, "onResolved"> {
  readonly context?: SecureContext;
}

/** Milliseconds by step. A step that did not happen, or did not end, is missing. */
export interface CallTimings {
  dns?: number;
  connect?: number;
  tls?: number;
  first_byte?: number;
  download?: number;
}

/** What a request came to. */
export interface CallReport {
  readonly timings: CallTimings;
  /** The step that was under way when it failed. */
  step: keyof CallTimings;
  tls: TlsFacts | null;
  answer: CallAnswer | null;
  error: OutboundError | null;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of it, when it is longer than what is read, or broke off. */
  body: Buffer;
  isCut: boolean;
}

const MAX_HEADER_BYTES = 16_384;

/** Never throws: what went wrong is in the report, beside all that went well. */
export async function callHttp(call: HttpCall, connecting: CallConnecting): Promise<CallReport> {
  const report: CallReport = { timings: {}, step: "dns", tls: null, answer: null, error: null };
  let socket: Socket | null = null;
  let startedAt = performance.now();
  const done = (next: keyof CallTimings): void => {
    const now = performance.now();
    report.timings[report.step] = now - startedAt;
    report.step = next;
    startedAt = now;
  };
  try {
    const { url, verify } = call;
    const headers = requestHeaders({ ...call, allowHost: true }, url);
    const host = hostOf(url);
    const onResolved = (): void => done("connect");
    socket = await openConnection({ host, port: portOf(url) }, { ...connecting, onResolved });
    done(url.protocol === "https:" ? "tls" : "first_byte");
    let stream = socket;
    if (url.protocol === "https:") {
      const { signal, context } = connecting;
      const trust = context === undefined ? {} : { context };
      const tls = await secured(socket, { host, verify: false, signal, ...trust });
      report.tls = tlsFacts(tls);
      const { problem } = report.tls;
      if (verify && problem !== null)
        throw new OutboundError("insecure", problem.text, problem.code);
      done("first_byte");
      stream = tls;
    }
    const message = await send(stream, { ...call, headers }, connecting.signal);
    done("download");
    const answer = { status: message.statusCode ?? 0, headers: flat(message), ...EMPTY };
    report.answer = answer;
    if (call.wantsBody?.(answer.status, answer.headers) === false) return report;
    await read(message, answer, { limit: call.maxBodyBytes, signal: connecting.signal });
    done("download");
  } catch (error) {
    report.error = asOutbound(error);
  } finally {
    socket?.on("error", () => {});
    socket?.destroy();
  }
  return report;
}

const EMPTY = { body: Buffer.alloc(0), isCut: false };

function send(
  socket: Socket,
  { method, url, headers, body }: HttpCall,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const abort = (): void => settle(() => reject(abortedBy(signal)));
    const settle = (then: () => void): void => {
      signal.removeEventListener("abort", abort);
      then();
    };
    // It stays: what the connection says after the answer must not be an unheard error.
    sent.on("error", (error) => settle(() => reject(socketError(error))));
    sent.on("close", () => settle(() => reject(hungUp())));
    sent.on("response", (message) => settle(() => resolve(message)));
    sent.on("upgrade", (message) => settle(() => resolve(message)));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    // Bytes, because the headers before a text would be encoded like the text.
    sent.end(body === null ? undefined : Buffer.from(body));
  });
}

/** Reads into the answer, so that what has come is there even if it breaks off. */
async function read(
  message: IncomingMessage,
  answer: CallAnswer,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<void> {
  if (answer.status === 101) return;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const abort = (): void => void message.destroy(abortedBy(signal));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      const rest = limit - bytes;
      bytes += chunk.length;
      chunks.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
      answer.isCut = bytes > limit;
      if (answer.isCut) break;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    answer.body = Buffer.concat(chunks);
  }
}

function flat({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all[name] = Array.isArray(value) ? value.join(", ") : value;
  return all;
}

const hungUp = (): OutboundError => new OutboundError("broken", "The other side hung up");

/** What Node refuses to send has no code of a socket. */
function asOutbound(error: unknown): OutboundError {
  const code = (error as { readonly code?: unknown } | null)?.code;
  const isOurs = typeof code === "string" && /^ERR_(?:HTTP|INVALID|UNESCAPED)/.test(code);
  if (isOurs && !(error instanceof OutboundError))
    return new OutboundError("invalid", "The request cannot be put into words of HTTP", code);
  return socketError(error);
}
