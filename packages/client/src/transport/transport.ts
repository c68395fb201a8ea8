import { backOffMs } from "./back-off.ts";
import { createCsrfTokens } from "./csrf.ts";
import { ApiError, ConnectionError, TimeoutError } from "./errors.ts";
import type {
  ApiResponse,
  CallOptions,
  HttpTransport,
  JsonFormat,
  Request,
  TransportOptions,
} from "./request.ts";
import { type RequestTarget, readErrorResponse, readResponse } from "./responses.ts";
import {
  isAlreadyDeleted,
  isUnsent,
  mayRetry,
  retryDelayMs,
  wasNeverConnected,
} from "./retries.ts";
import { sleepUnlessAborted } from "./sleep.ts";

const PLAIN_JSON: JsonFormat = { read: JSON.parse, write: JSON.stringify };
const NOTHING: ApiResponse = { value: undefined, headers: new Headers() };
const TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 120_000;
const RETRIES = 5;
/** What the waits between attempts depend on. */
export interface TransportEnvironment {
  readonly sleep: typeof sleepUnlessAborted;
  /** From 0 to 1. */
  readonly random: () => number;
}

const REAL: TransportEnvironment = { sleep: sleepUnlessAborted, random: Math.random };

export function createTransport(
  options: TransportOptions,
  { sleep, random }: TransportEnvironment = REAL,
): HttpTransport {
  const url = absoluteUrl(options.url);
  const json = options.json ?? PLAIN_JSON;
  const csrf = createCsrfTokens((request) => once(request, {}));

  const attempt = async (request: Request, call: CallOptions): Promise<ApiResponse> => {
    const asked = { method: request.method, url: url + request.path };
    const body = request.body === undefined ? undefined : json.write(request.body);
    const timeoutMs = (call.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS) + waitMs(request.body);
    // Not `AbortSignal.any`: what it makes would stay with a signal that outlives many calls.
    const stop = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop.abort();
    }, timeoutMs);
    const forward = (): void => stop.abort(call.signal?.reason);
    call.signal?.addEventListener("abort", forward, { once: true });
    try {
      const send = options.fetch ?? options.send ?? fetch;
      const response = await send(asked.url, {
        method: request.method,
        headers: headersOf(request, { ...csrf.headers(), ...options.headers, ...call.headers }),
        ...(body === undefined ? {} : { body }),
        ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
        signal: stop.signal,
      });
      if (!response.ok) throw await readErrorResponse(response, asked);
      const { headers } = response;
      if (request.traits.streams) return { value: response.body, headers };
      return { value: await readResponse(response, asked, json.read), headers };
    } catch (error) {
      throw translate(error, { asked, call, late: isLate ? timeoutMs : null });
    } finally {
      clearTimeout(timer);
      // A stream goes on after this, and may be ended as well.
      if (request.traits.streams !== true) call.signal?.removeEventListener("abort", forward);
    }
  };

  /** One attempt, and another where the server wants a token first: it has done nothing then. */
  const once = async (request: Request, call: CallOptions): Promise<ApiResponse> => {
    try {
      return await attempt(request, call);
    } catch (error) {
      if (!(await csrf.renew(error))) throw error;
      return attempt(request, call);
    }
  };

  const headersOf = (
    request: Request,
    more: Readonly<Record<string, string>>,
  ): Record<string, string> => ({
    accept: request.traits.streams ? "*/*" : "application/json",
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    ...authorization(options),
    ...more,
  });

  const call = async (request: Request, given: CallOptions = {}): Promise<ApiResponse> => {
    const retries = given.retries ?? options.retries ?? RETRIES;
    const totalMs = given.totalTimeoutMs ?? options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
    const endsAt = performance.now() + totalMs + waitMs(request.body);
    let isUncertain = false;
    for (let made = 0; ; made += 1) {
      given.signal?.throwIfAborted();
      const leftMs = Math.max(1, endsAt - performance.now());
      const timeoutMs = Math.min(given.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS, leftMs);
      try {
        return await once(request, { ...given, timeoutMs });
      } catch (error) {
        if (isUncertain && isAlreadyDeleted(request.method, error)) return NOTHING;
        const delayMs = retryDelayMs(error, backOffMs(made, random()));
        const isLate = performance.now() + (delayMs ?? 0) >= endsAt;
        if (delayMs === null || made >= retries || isLate) throw error;
        if (!mayRetry(request.traits, error)) throw error;
        isUncertain ||= !isUnsent(error);
        const asked = { method: request.method, url: url + request.path };
        options.onRetry?.({ ...asked, attempt: made + 1, delayMs, error: error as Error });
        await sleep(delayMs, given.signal);
      }
    }
  };

  return { options, url, call };
}

/** In a page an address may be one beside it. */
function absoluteUrl(given: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const url = URL.canParse(given) ? given : location && new URL(given, location.href).href;
  if (url === undefined) throw new TypeError(`${JSON.stringify(given)} is no URL`);
  return url.replace(/\/+$/, "");
}

/** The headers by which the server knows the caller. */
export function authorization({
  apiKey,
  authString,
  basic,
}: Pick<TransportOptions, "apiKey" | "authString" | "basic">): Record<string, string> {
  if (apiKey !== undefined && apiKey !== "") return { authorization: `Bearer ${apiKey}` };
  const text = authString ?? (basic && `${basic.username}:${basic.password}`);
  if (text === undefined || text === "") return {};
  const bytes = new TextEncoder().encode(text);
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** Some questions are answered only when there is something to say. */
function waitMs(body: unknown): number {
  const seconds = (body as { readonly wait_seconds?: unknown } | null | undefined)?.wait_seconds;
  return typeof seconds === "number" ? seconds * 1000 : 0;
}

interface Circumstances {
  readonly asked: RequestTarget;
  readonly call: CallOptions;
  /** The time there was, when it is over. */
  readonly late: number | null;
}

function translate(error: unknown, { asked, call, late }: Circumstances): unknown {
  if (error instanceof ApiError) return error;
  if (call.signal?.aborted) return call.signal.reason;
  if (late !== null) return new TimeoutError(asked, late, error);
  return new ConnectionError(asked, { cause: error, isUnsent: wasNeverConnected(error) });
}
