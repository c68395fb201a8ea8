import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";

/** Every successful answer in every test must be what its documentation says. */
export function assertDocumented(
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  payload: unknown,
): void {
  // Long texts are sent as the bytes that the database gave.
  if (statusCode >= 300 || !(typeof payload === "string" || Buffer.isBuffer(payload))) return;
  const responses = (request.routeOptions.schema?.response ?? {}) as Readonly<
    Record<number, TSchema>
  >;
  const schema = responses[statusCode];
  if (schema === undefined) return;
  const body: unknown = JSON.parse(String(payload));
  if (Value.Check(schema, body)) return;
  const [first] = Value.Errors(schema, body);
  throw new Error(
    `${request.method} ${request.url} answers other than documented: ${JSON.stringify(first)}`,
  );
}
