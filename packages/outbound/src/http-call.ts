// One request, watched closely: how long each step took, what the certificate said, and whatever
// had come when it broke. No redirect is followed, no connection is used twice, and no more is read
// than wanted.

import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { type TlsFacts, tlsFacts } from "./certificate.ts";
import { hostOf, portOf, requestHeaders } from "./http-headers.ts";
import { type Connecting, openConnection, secured } from "./open-connection.ts";
import { abortedBy, OutboundError, socketError } from "./outbound-error.ts";
import type { Destination } from "./outbound-policy.ts";

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
    const prepared = prepare(call);
    const { signal, policy, resolve, context } = connecting;
    const onResolved = (): void => done("connect");
    socket = await openConnection(prepared, { signal, policy, resolve, onResolved });
    done(prepared.isSecure ? "tls" : "first_byte");
    let stream = socket;
    if (prepared.isSecure) {
      const { host } = prepared;
      const trust = context === undefined ? {} : { context };
      const tls = await secured(socket, { host, verify: false, signal, ...trust });
      report.tls = tlsFacts(tls);
      const { problem } = report.tls;
      if (call.verify && problem !== null)
        throw new OutboundError("insecure", problem.text, problem.code);
      done("first_byte");
      stream = tls;
    }
    await exchange(stream, prepared, { report, done, signal });
  } catch (error) {
    report.error = asOutbound(error);
  } finally {
    socket?.on("error", () => {});
    socket?.destroy();
  }
  return report;
}

/** What follows from a call alone. */
interface PreparedCall extends Destination {
  readonly call: HttpCall;
  readonly isSecure: boolean;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call that is made again and again is prepared once. */
const preparedCalls = new WeakMap<HttpCall, PreparedCall>();

function prepare(call: HttpCall): PreparedCall {
  const known = preparedCalls.get(call);
  if (known !== undefined) return known;
  const { url } = call;
  const prepared = {
    call,
    host: hostOf(url),
    port: portOf(url),
    isSecure: url.protocol === "https:",
    path: url.pathname + url.search,
    headers: requestHeaders({ ...call, allowHost: true }, url),
  };
  preparedCalls.set(call, prepared);
  return prepared;
}

interface Watching {
  readonly report: CallReport;
  readonly done: (next: keyof CallTimings) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends the request and reads the answer into the report, so that what has come is there even if it
 * breaks off.
 */
function exchange(
  socket: Socket,
  { call: { method, body, wantsBody, maxBodyBytes }, path, headers }: PreparedCall,
  { report, done, signal }: Watching,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      createConnection: () => socket,
      method,
      path,
      headers,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const chunks: Buffer[] = [];
    let isOver = false;
    const end = (failure: (() => OutboundError) | null): void => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener("abort", abort);
      if (report.answer !== null && chunks.length > 0) report.answer.body = Buffer.concat(chunks);
      if (failure !== null) return reject(failure());
      done("download");
      resolve();
    };
    const abort = (): void => end(() => abortedBy(signal));
    const answered = (message: IncomingMessage): void => {
      done("download");
      const answer: CallAnswer = {
        status: message.statusCode ?? 0,
        headers: flat(message),
        body: EMPTY,
        isCut: false,
      };
      report.answer = answer;
      const isWanted =
        answer.status !== 101 && wantsBody?.(answer.status, answer.headers) !== false;
      if (isWanted) read(message, { answer, chunks, limit: maxBodyBytes, end });
      else end(null);
    };
    // They stay: what the connection says after the answer must not be an unheard error.
    sent.on("error", (error) => end(() => asOutbound(error)));
    sent.on("close", () => {
      // Once there is an answer it is the answer that tells whether it is whole.
      if (report.answer === null) end(hungUp);
    });
    sent.on("response", answered);
    sent.on("upgrade", answered);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
    // Bytes, because the headers before a text would be encoded like the text.
    sent.end(body === null ? undefined : Buffer.from(body));
  });
}

const EMPTY = Buffer.alloc(0);

interface Reading {
  readonly answer: CallAnswer;
  readonly chunks: Buffer[];
  readonly limit: number;
  readonly end: (failure: (() => OutboundError) | null) => void;
}

/** By events: an iterator over the stream costs about as much as the whole request. */
function read(message: IncomingMessage, { answer, chunks, limit, end }: Reading): void {
  let bytes = 0;
  message.on("data", (chunk: Buffer) => {
    if (answer.isCut) return;
    const rest = limit - bytes;
    bytes += chunk.length;
    chunks.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
    answer.isCut = bytes > limit;
    if (answer.isCut) end(null);
  });
  message.on("end", () => end(null));
  message.on("error", (error) => end(() => asOutbound(error)));
  message.on("close", () => end(hungUp));
}

function flat({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) all[name] = typeof value === "string" ? value : value.join(", ");
  }
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
