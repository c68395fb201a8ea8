import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../errors/app-error.ts";
import { InvalidRequestError } from "./invalid-request.ts";
import type { LoopTurnScheduler } from "./loop-turn-scheduler.ts";
import { parseStrictJson, type StrictJsonOptions } from "./strict-json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The JSON of an accepted body, while it is short enough to be echoed in a refusal. */
    bodyBytes: Buffer | null;
  }

  interface FastifyContextConfig {
    /** Drops NUL characters from the body instead of refusing it. */
    readonly stripNul?: boolean;
  }
}

export interface JsonBodyOptions {
  readonly maxDepth: number;
  readonly turns: LoopTurnScheduler;
}

type Done = (error: Error | null, body?: unknown) => void;

const MAX_ECHO_BYTES = 16_384;
/**
 * Reading a longer body, and doing what it asks for, takes milliseconds: many that are there at
 * once take turns.
 */
const LONG_BYTES = 32_768;

const SUFFIXED_TYPE = /^application\/[\w.!#$&^-]+\+json(?:;|$)/;

/**
 * Bodies are JSON, also where the caller did not say so; anything else is refused. Nothing sent
 * means no body.
 */
export function installJsonBody(app: FastifyInstance, options: JsonBodyOptions): void {
  const strict: StrictJsonOptions = { maxDepth: options.maxDepth, stripNul: false };
  const stripping: StrictJsonOptions = { maxDepth: options.maxDepth, stripNul: true };
  const parse = (request: FastifyRequest, bytes: Buffer): unknown => {
    try {
      return parseStrictJson(bytes, strict);
    } catch (error) {
      if (!(error instanceof InvalidRequestError) || !dropsNul(request)) throw error;
      return parseStrictJson(bytes, stripping);
    }
  };
  const read = (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    if (bytes.length === 0) {
      done(null);
      return;
    }
    let body: unknown;
    try {
      refuseEncoded(request);
      body = parse(request, bytes);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (bytes.length <= MAX_ECHO_BYTES) request.bodyBytes = bytes;
    done(null, body);
  };

  const readInTurn = (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    if (bytes.length < LONG_BYTES) read(request, bytes, done);
    else options.turns.run(() => read(request, bytes, done));
  };

  app.decorateRequest("bodyBytes", null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, readInTurn);
  app.addContentTypeParser(SUFFIXED_TYPE, { parseAs: "buffer" }, readInTurn);
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, bytes: Buffer, done: Done) => {
    const type = request.headers["content-type"];
    if (type === undefined || bytes.length === 0) readInTurn(request, bytes, done);
    else
      done(unsupported(`The content type ${quoted(type)} is not supported, send application/json`));
  });
}

function refuseEncoded(request: FastifyRequest): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw unsupported(`The content encoding ${quoted(encoding)} is not supported`);
  }
}

function dropsNul(request: FastifyRequest): boolean {
  return request.routeOptions.config.stripNul === true;
}

function unsupported(message: string): AppError {
  return new AppError("unsupported_media_type", message);
}

function quoted(header: string): string {
  return JSON.stringify(header.slice(0, 100));
}
