import { gunzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";

/** Every successful answer in every test must be what its documentation says. */
export function assertDocumented(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const { statusCode } = reply;
  const text = textOf(reply, payload);
  if (statusCode >= 300 || text === null) return;
  const responses = (request.routeOptions.schema?.response ?? {}) as Readonly<
    Record<number, TSchema>
  >;
  const schema = responses[statusCode];
  if (schema === undefined) return;
  const body: unknown = JSON.parse(text);
  if (Value.Check(schema, body)) return;
  const [first] = Value.Errors(schema, body);
  throw new Error(
    `${request.method} ${request.url} answers other than documented: ${JSON.stringify(first)}`,
  );
}

/** Long texts are sent as the bytes that the database gave, some of them compressed. */
function textOf(reply: FastifyReply, payload: unknown): string | null {
  if (typeof payload === "string") return payload;
  const isJson = String(reply.getHeader("content-type")).startsWith("application/json");
  if (!Buffer.isBuffer(payload) || !isJson) return null;
  const isZipped = reply.getHeader("content-encoding") === "gzip";
  return String(isZipped ? gunzipSync(payload) : payload);
}
