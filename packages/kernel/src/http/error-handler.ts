import { readJson } from "@orchestrator/exact-json";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type AppError, type ErrorCode, isAppError } from "../errors/app-error.ts";
import { type ErrorBody, errorBody, INVALID_REQUEST } from "./error-body.ts";
import { InvalidRequestError, MalformedJsonError } from "./invalid-request.ts";
import { isSchema } from "./json-schema.ts";
import { maskSecrets } from "./masking.ts";
import { answerUnfit } from "./not-found.ts";
import { SchemaMismatchError } from "./schema-mismatch.ts";
import { secretKeysOf } from "./secret-keys.ts";
import { decodeJsonText } from "./strict-json.ts";
import { explainMismatch, problemSentence } from "./validation-errors.ts";

/** The only table that turns words of the domain into numbers of the protocol. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  locked: 423,
  too_many_requests: 429,
  unavailable: 503,
  insufficient_storage: 507,
};

/** What a request would be answered that ends in this error; null where nobody expects it. */
export function httpStatusOf(error: unknown): number | null {
  if (isAppError(error)) return STATUS[error.code];
  return error instanceof InvalidRequestError ? 422 : null;
}

// Clients test for these words.
const FIXED_MESSAGE: Partial<Readonly<Record<ErrorCode, string>>> = {
  unauthorized: "Unauthorized",
  unavailable: "Service Unavailable",
  insufficient_storage: "Insufficient Storage",
};

const FRAMEWORK: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, "The content type is not supported, send application/json"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, "The request body is not as long as announced"],
  // No route can have such an address.
  FST_ERR_BAD_URL: [404, "Not Found: the address is not properly percent-encoded"],
  FST_ERR_MAX_PARAM_LENGTH: [404, "Not Found"],
};

const BODY_TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

const NO_KEYS: ReadonlySet<string> = new Set();

export interface ErrorHandlerOptions {
  readonly malformedJsonStatus: 400 | 422;
  /** The `WWW-Authenticate` header of a 401, where the caller is to be asked for credentials. */
  readonly challenge?: (request: FastifyRequest) => string | undefined;
}

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

export function createErrorHandler(options: ErrorHandlerOptions): ErrorHandler {
  return (error, request, reply) => {
    if (isAppError(error)) {
      if (error.code === "unauthorized") {
        const challenge = options.challenge?.(request);
        if (challenge !== undefined) reply.header("www-authenticate", challenge);
      }
      sendAppError(error, request, reply);
    } else if (error instanceof SchemaMismatchError) {
      sendMismatch(error, request, reply);
    } else if (error instanceof InvalidRequestError) {
      reply.code(error instanceof MalformedJsonError ? options.malformedJsonStatus : 422);
      sendProblems(error, request, reply);
    } else {
      sendOther(error, request, reply);
    }
  };
}

function sendAppError(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const status = STATUS[error.code];
  if (error.retryAfterSeconds !== undefined) {
    reply.header("retry-after", String(error.retryAfterSeconds));
  }
  const body = errorBody(error.message, FIXED_MESSAGE[error.code]);
  if (status >= 500) {
    // A disk that runs short has a line of its own, and there may be thousands of refusals.
    if (error.code !== "insufficient_storage")
      request.log.warn({ err: error, method: request.method, status }, "request refused");
    reply.code(status).send({ ...body, request_id: request.id });
    return;
  }
  reply.code(status).send(body);
}

/**
 * A path that does not fit its parameters names nothing, so nothing is found there; their title
 * says what it was to be. Where one is a choice of a few words, the answer tells which.
 */
function sendMismatch(
  error: SchemaMismatchError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error.part === "params" && !isWrongWord(error)) {
    const { title } = (request.routeOptions.schema?.params ?? {}) as { readonly title?: string };
    answerUnfit(request, reply, title === undefined ? undefined : `${title} not found`);
    return;
  }
  const original = error.part === "body" ? originalBody(request) : partOf(request, error.part);
  const { problems, detail } = explainMismatch(error, original);
  const body: ErrorBody = {
    detail,
    exception_message: INVALID_REQUEST,
    exception_detail: problems,
    request_body: shownBody(request),
  };
  reply.code(422).send(body);
}

const isWrongWord = ({ firstErrors }: SchemaMismatchError): boolean =>
  firstErrors.every(({ keyword }) => keyword === "enum");

function sendProblems(
  error: InvalidRequestError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const body: ErrorBody = {
    detail: problemSentence(error.problems),
    exception_message: INVALID_REQUEST,
    exception_detail: error.problems,
    request_body: shownBody(request),
  };
  reply.send(body);
}

function sendOther(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const code = codeOf(error);
  if (code === BODY_TOO_LARGE) {
    const { bodyLimit } = request.routeOptions;
    keepConnection(request, reply);
    reply
      .code(413)
      .send(errorBody(`The request body is larger than ${bodyLimit} bytes: send less at once`));
    return;
  }
  const known = code === undefined ? undefined : FRAMEWORK[code];
  if (known !== undefined) {
    reply.code(known[0]).send(errorBody(known[1]));
    return;
  }
  const status = clientStatus(error, code);
  if (status !== undefined) {
    reply.code(status).send(errorBody("The request could not be read"));
    return;
  }
  logFailure(error, request);
  reply.code(500).send({ ...errorBody("Internal Server Error"), request_id: request.id });
}

/** Thrown away as it comes; one that is longer, or does not end, has its connection cut. */
const DISCARDED_BYTES = 268_435_456;

/** A connection that is closed while its client sends the rest is reset, and the answer is lost. */
function keepConnection({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (Number(headers["content-length"]) <= DISCARDED_BYTES) reply.removeHeader("connection");
}

/** The framework's own refusals, and a connection that broke while the body was read. */
function clientStatus(error: unknown, code: string | undefined): number | undefined {
  if (code === undefined || !(code.startsWith("FST_") || code === "ECONNRESET")) return undefined;
  const status = (error as { readonly statusCode?: unknown }).statusCode;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

function logFailure(error: unknown, request: FastifyRequest): void {
  const { method } = request;
  request.log.error({ err: error, method, route: request.routeOptions.url }, "request failed");
}

function partOf(request: FastifyRequest, part: "query" | "params" | "headers"): unknown {
  return request[part];
}

function shownBody(request: FastifyRequest): unknown {
  const schema = request.routeOptions.schema?.body;
  const declared = isSchema(schema) ? secretKeysOf(schema) : NO_KEYS;
  return maskSecrets(originalBody(request) ?? null, declared);
}

/**
 * The body as it was sent. What is large or was refused as JSON was not kept, and is not echoed.
 */
function originalBody(request: FastifyRequest): unknown {
  const bytes = request.bodyBytes;
  return bytes === null ? undefined : readJson(decodeJsonText(bytes));
}
