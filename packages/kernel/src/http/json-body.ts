import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../errors/app-error.ts";
import { malformedJson } from "./invalid-request.ts";
import { parseStrictJson, type StrictJsonOptions } from "./strict-json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The JSON text of an accepted body, while it is short enough to be echoed in a refusal. */
    bodyText: string | null;
  }

  interface FastifyContextConfig {
    /** Drops NUL characters from the body instead of refusing it. */
    readonly stripNul?: boolean;
  }
}

export interface JsonBodyOptions {
  readonly maxDepth: number;
}

type Done = (error: Error | null, body?: unknown) => void;

const MAX_ECHO_CHARACTERS = 16_384;

const SUFFIXED_TYPE = /^application\/[\w.!#$&^-]+\+json(?:;|$)/;
const BYTE_ORDER_MARK = "\ufeff";

/** Bodies are JSON, also where the caller did not say so; anything else is refused. Nothing sent means no body. */
export function installJsonBody(app: FastifyInstance, options: JsonBodyOptions): void {
  const strict: StrictJsonOptions = { maxDepth: options.maxDepth, stripNul: false };
  const stripping: StrictJsonOptions = { maxDepth: options.maxDepth, stripNul: true };
  const read = (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    let body: unknown;
    try {
      const text = decode(request, bytes);
      if (text !== undefined) {
        body = parseStrictJson(text, dropsNul(request, text) ? stripping : strict);
        if (text.length <= MAX_ECHO_CHARACTERS) request.bodyText = text;
      }
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, body);
  };

  app.decorateRequest("bodyText", null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, read);
  app.addContentTypeParser(SUFFIXED_TYPE, { parseAs: "buffer" }, read);
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, bytes: Buffer, done: Done) => {
    const type = request.headers["content-type"];
    if (type === undefined || bytes.length === 0) read(request, bytes, done);
    else
      done(unsupported(`The content type ${quoted(type)} is not supported, send application/json`));
  });
}

function decode(request: FastifyRequest, bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw unsupported(`The content encoding ${quoted(encoding)} is not supported`);
  }
  if (!isUtf8(bytes)) throw malformedJson(undefined, "The body is not valid UTF-8");
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** The route's options are dear to look up, and only an escape can hold a NUL character. */
function dropsNul(request: FastifyRequest, text: string): boolean {
  return text.includes("\\u0000") && request.routeOptions.config.stripNul === true;
}

function unsupported(message: string): AppError {
  return new AppError("unsupported_media_type", message);
}

function quoted(header: string): string {
  return JSON.stringify(header.slice(0, 100));
}
