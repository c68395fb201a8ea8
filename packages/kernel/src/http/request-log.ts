import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Bindings, ChildLoggerOptions, Logger } from "pino";

const REQUEST_ID_LABEL = "request_id";

/** Requests that go well leave no line; what goes wrong is logged by the error handler. */
export class ErrorLogController extends LogController {
  constructor() {
    super({ requestIdLogLabel: REQUEST_ID_LABEL });
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) super.requestCompleted(error, request, reply);
  }

  override defaultErrorLog(): void {}

  override routeNotFound(): void {}
}

/**
 * Bears the request's id on every line, and costs next to nothing for the many requests that log
 * none.
 */
class RequestLog {
  readonly #parent: Logger;
  readonly #bindings: Bindings;
  readonly #options: ChildLoggerOptions;
  #child: Logger | undefined;

  constructor(parent: Logger, bindings: Bindings, options: ChildLoggerOptions) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get #log(): Logger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options);
    return this.#child;
  }

  get level(): string {
    return this.#parent.level;
  }

  fatal(...line: Parameters<Logger["fatal"]>): void {
    this.#log.fatal(...line);
  }

  error(...line: Parameters<Logger["error"]>): void {
    this.#log.error(...line);
  }

  warn(...line: Parameters<Logger["warn"]>): void {
    this.#log.warn(...line);
  }

  info(...line: Parameters<Logger["info"]>): void {
    this.#log.info(...line);
  }

  debug(...line: Parameters<Logger["debug"]>): void {
    this.#log.debug(...line);
  }

  trace(...line: Parameters<Logger["trace"]>): void {
    this.#log.trace(...line);
  }

  silent(): void {}

  child(bindings: Bindings, options?: ChildLoggerOptions): Logger {
    return this.#log.child(bindings, options);
  }
}

export function createRequestLog(
  parent: FastifyBaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
): FastifyBaseLogger {
  return new RequestLog(
    parent as unknown as Logger,
    bindings,
    options,
  ) as unknown as FastifyBaseLogger;
}
