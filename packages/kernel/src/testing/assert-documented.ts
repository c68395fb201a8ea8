import { gunzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import type { TypedAnswer } from "../http/answers.ts";

/**
 * Every successful answer in every test must be what its documentation says: its status, its media
 * type, and its JSON.
 */
export function assertDocumented(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const { statusCode } = reply;
  const { schema } = request.routeOptions;
  if (statusCode >= 300 || schema?.operationId === undefined || schema.hide === true) return;
  const answer = (schema.response as Answers | undefined)?.[statusCode];
  const fail = (what: string): never => {
    throw new Error(`${request.method} ${request.url} answers other than documented: ${what}`);
  };
  if (answer === undefined) return fail(`with ${statusCode}`);
  const types = "content" in answer ? answer.content : { [JSON_TYPE]: { schema: answer } };
  const type = mediaTypeOf(reply);
  if (statusCode === 204) return;
  const documented = types[type] ?? fail(`as ${type}`);
  const text = textOf(reply, payload);
  if (text === null || type !== JSON_TYPE) return;
  const body: unknown = JSON.parse(text);
  if (Value.Check(documented.schema, body)) return;
  const [first] = Value.Errors(documented.schema, body);
  fail(JSON.stringify(first));
}

type Answers = Readonly<Record<number, TSchema | TypedAnswer>>;

const JSON_TYPE = "application/json";

const mediaTypeOf = (reply: FastifyReply): string =>
  String(reply.getHeader("content-type") ?? "nothing").split(";", 1)[0] ?? "";

/** Long texts are sent as the bytes that the database gave, some of them compressed. */
function textOf(reply: FastifyReply, payload: unknown): string | null {
  if (typeof payload === "string") return payload;
  const isJson = String(reply.getHeader("content-type")).startsWith("application/json");
  if (!Buffer.isBuffer(payload) || !isJson) return null;
  const isZipped = reply.getHeader("content-encoding") === "gzip";
  return String(isZipped ? gunzipSync(payload) : payload);
}
